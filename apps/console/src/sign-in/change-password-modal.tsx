import { Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { text } from '../text/text.ts'
import { failureText } from '../session/failure-text.ts'
import { NewPasswordForm } from './new-password-form.tsx'

type Props = {
  ownWords: readonly string[]
  /** Sets the password; the error that it throws is shown beneath the form. */
  change: (password: string) => Promise<unknown>
  onChanged: () => void
  onClose: () => void
}

/** The screen of a password reset as a modal, for a sign-in that asks for a new password (specification §2). */
export function ChangePasswordModal({ ownWords, change, onChanged, onClose }: Props) {
  const changing = useMutation({ mutationFn: change, onSuccess: onChanged })
  return (
    <Modal
      opened
      onClose={onClose}
      title={text('changePassword.title')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': text('action.close') }}
    >
      <NewPasswordForm
        ownWords={ownWords}
        isInFlight={changing.isPending}
        failure={changing.error ? failureText(changing.error) : undefined}
        onSubmit={changing.mutate}
      />
    </Modal>
  )
}

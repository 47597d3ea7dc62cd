import { Button, Modal } from '@mantine/core'
import type { UserAccount } from '@portcullis/contract/calls/memberships'
import { useMutation } from '@tanstack/react-query'
import { text } from '../text/text.ts'
import { DialogFoot } from '../ui/dialog-foot.tsx'
import { useSinglePress } from '../ui/use-single-press.ts'

type Props = {
  name: string
  account: string
  remove: () => Promise<{ items: UserAccount[] }>
  onClose: () => void
  onRemoved: (changed: { items: UserAccount[] }) => void
}

/** Asks before a user leaves an account, because their access ends at once. */
export function RemoveFromAccount({ name, account, remove, onClose, onRemoved }: Props) {
  const removing = useMutation({ mutationFn: remove })
  const press = useSinglePress(() => removing.mutateAsync(undefined, { onSuccess: onRemoved }))
  return (
    <Modal
      opened
      onClose={onClose}
      title={text('memberships.removeTitle', { name, account })}
      zIndex={400}
      withCloseButton={false}
    >
      <p className="soft">{text('memberships.removeHint', { account })}</p>
      <DialogFoot error={removing.error} onCancel={onClose} focus="cancel">
        <Button color="no" loading={removing.isPending} onClick={press}>
          {text('memberships.removeNow')}
        </Button>
      </DialogFoot>
    </Modal>
  )
}

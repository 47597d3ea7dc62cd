import { Button, Group, Modal, PasswordInput, TextInput } from '@mantine/core'
import { ApiError, isConflict } from '@portcullis/client/api-error'
import { useMutation } from '@tanstack/react-query'
import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { client } from './client.ts'
import { failureText } from './failure-text.ts'
import { useIdentityQuestion } from './identity-question.ts'
import { useSession } from './session-context.tsx'
import { text } from '../text/text.ts'
import styles from './confirm-identity.module.css'

/** Asks for the password, and a code where the user needs one, whenever a request needs a fresh sign-in. */
export function ConfirmIdentity() {
  const question = useIdentityQuestion()
  return question && <Question onEnd={question.end} />
}

// Escape belongs to this dialog alone: it keeps the dialogs below, with what the user has entered there.
const ownEscape = { 'data-mantine-stop-propagation': 'true' } as const

function Question({ onEnd }: { onEnd: (isConfirmed: boolean) => void }) {
  const { user, mfa } = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  // The state of the second factor may be out of date here: the server requires a code where it needs one.
  const [isCodeRequired, setCodeRequired] = useState(mfa.enrolled && (mfa.enabled || mfa.enforced))
  const confirm = useMutation({
    mutationFn: () => client.sessions.confirm({ password, ...(isCodeRequired ? { code: code.trim() } : {}) }),
    onSuccess: () => onEnd(true),
    onError(error) {
      if (isConflict(error)) onEnd(true)
      if (codeOf(error) === 'wrong_code') setCodeRequired(true)
    },
  })
  const failure = failureOf(confirm.error)
  const failureAt = (place: string) => failure?.at === place && failure.sentence
  const canConfirm = password !== '' && (!isCodeRequired || code.trim() !== '')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    // The form may be inside another form in React's tree.
    event.stopPropagation()
    if (canConfirm && !confirm.isPending) confirm.mutate()
  }

  function cancelByEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.stopPropagation()
    onEnd(false)
  }

  return (
    <Modal
      opened
      closeOnEscape={false}
      onKeyDown={cancelByEscape}
      onClose={() => onEnd(false)}
      title={text('settings.confirm.title')}
      size={400}
      zIndex={400}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate className={styles.form}>
        <p className="soft">{text('settings.confirm.hint')}</p>
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          {...ownEscape}
          name="password"
          label={text('settings.confirm.password')}
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            confirm.reset()
          }}
          error={failureAt('password')}
          aria-invalid={failureAt('password') !== false}
          visibilityToggleButtonProps={{ ...ownEscape, 'aria-label': text('login.showPassword'), tabIndex: 0 }}
        />
        {isCodeRequired && (
          <TextInput
            {...ownEscape}
            name="code"
            label={text('settings.confirm.code')}
            description={text('settings.confirm.codeHint')}
            autoComplete="one-time-code"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={20}
            value={code}
            onChange={(event) => {
              setCode(event.currentTarget.value)
              confirm.reset()
            }}
            error={failureAt('code')}
          />
        )}
        <div role="alert" className="refusal">
          {failureAt('form')}
        </div>
        <Group justify="flex-end" gap={8}>
          <Button {...ownEscape} variant="default" onClick={() => onEnd(false)}>
            {text('action.cancel')}
          </Button>
          <Button {...ownEscape} type="submit" loading={confirm.isPending} disabled={!canConfirm}>
            {text('settings.confirm.confirm')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

function failureOf(error: Error | null): { at: 'password' | 'code' | 'form'; sentence: string } | undefined {
  if (error === null) return undefined
  switch (codeOf(error)) {
    case 'wrong_credentials':
      return { at: 'password', sentence: text('settings.confirm.wrongPassword') }
    case 'wrong_code':
      return { at: 'code', sentence: failureText(error) }
    default:
      return { at: 'form', sentence: failureText(error) }
  }
}

function codeOf(error: Error) {
  return error instanceof ApiError ? error.code : undefined
}

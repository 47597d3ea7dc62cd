import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconCheck } from '@tabler/icons-react'
import { type SubmitEvent, useState } from 'react'
import { ApiError } from '@portcullis/client/api-error'
import { isLongEnough, passwordLength } from '@portcullis/contract/passwords'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { useSession } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './own-password.module.css'
import { SettingsActions, SettingsPanel, SettingsSection } from './settings-section.tsx'
import { PasswordStrength } from '../sign-in/password-strength.tsx'
import { usePasswordStrength } from '../sign-in/use-password-strength.ts'

const none = { oldPassword: '', newPassword: '', confirmPassword: '' }
type Field = keyof typeof none

/** The user's own password: changed with the current one, or reset by email. */
export function OwnPassword() {
  const [isChanged, setChanged] = useState(false)
  return (
    <SettingsPanel>
      <SettingsSection title={text('settings.password.title')} hint={text('settings.password.hint')}>
        {isChanged ? (
          <Changed onAgain={() => setChanged(false)} />
        ) : (
          <ChangePasswordForm onChanged={() => setChanged(true)} />
        )}
      </SettingsSection>
      <Forgotten />
    </SettingsPanel>
  )
}

function Changed({ onAgain }: { onAgain: () => void }) {
  return (
    <>
      <div role="status" tabIndex={-1} ref={focusOn} className={styles.changed}>
        <IconCheck size={18} stroke={2.2} aria-hidden="true" />
        <div>
          <p className={styles.title}>{text('settings.password.changed')}</p>
          <p>{text('settings.password.changedHint')}</p>
        </div>
      </div>
      <Button variant="default" onClick={onAgain}>
        {text('settings.password.again')}
      </Button>
    </>
  )
}

function Forgotten() {
  const { email } = useSession().user
  const send = useMutation({ mutationFn: () => client.forgotPassword(email) })
  return (
    <SettingsSection
      title={text('settings.password.forgotTitle')}
      hint={text('settings.password.forgotHint', { email })}
    >
      <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
        {text('settings.password.forgot')}
      </Button>
      <p role="status">{send.isSuccess ? text('settings.password.forgotSent', { email }) : ''}</p>
      <p role="alert" className="refusal">
        {send.error ? failureText(send.error) : ''}
      </p>
    </SettingsSection>
  )
}

function focusOn(element: HTMLElement | null) {
  element?.focus()
}

/** The current password, and a new one, rated while it is typed. */
function ChangePasswordForm({ onChanged }: { onChanged: () => void }) {
  const { user } = useSession()
  const [values, setValues] = useState(none)
  const [left, setLeft] = useState<readonly Field[]>([])
  const { oldPassword, newPassword, confirmPassword } = values
  const strength = usePasswordStrength(newPassword, [user.name, user.email])
  const change = useMutation({
    mutationFn: () => client.ownAccount.changePassword({ oldPassword, newPassword }),
    onSuccess: onChanged,
  })
  const failure = failureOf(change.error)
  const lengthHint = wrongLength(newPassword)
  const isSame = newPassword === confirmPassword
  const canChange = oldPassword !== '' && !lengthHint && isSame && strength?.isEnough !== false

  function input(field: Field, hint: string | false | undefined) {
    const error = failure?.at === field ? failure.sentence : hint
    return {
      name: field,
      value: values[field],
      onChange: (event: { currentTarget: { value: string } }) => {
        setValues({ ...values, [field]: event.currentTarget.value })
        change.reset()
      },
      onBlur: () => setLeft([...left, field]),
      error,
      'aria-invalid': Boolean(error),
      visibilityToggleButtonProps: { 'aria-label': text('login.showPassword'), tabIndex: 0 },
    }
  }

  // A field is checked once the user has left it with some text.
  const isJudged = (field: Field) => left.includes(field) && values[field] !== ''
  const isLengthWrong = isJudged('newPassword') && lengthHint
  const isDifferent = isJudged('confirmPassword') && !isSame

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (canChange && !change.isPending) change.mutate()
  }

  return (
    <form onSubmit={submit} noValidate>
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordInput
        {...input('oldPassword', false)}
        label={text('settings.password.old')}
        autoComplete="current-password"
      />
      <PasswordInput
        {...input('newPassword', isLengthWrong)}
        label={text('passwordReset.newPassword')}
        description={isLengthWrong ? undefined : text('passwordReset.tooShort', { least: passwordLength.least })}
        autoComplete="new-password"
      />
      {newPassword !== '' && <PasswordStrength strength={strength} />}
      <PasswordInput
        {...input('confirmPassword', isDifferent && text('passwordReset.different'))}
        label={text('passwordReset.confirmPassword')}
        autoComplete="new-password"
      />
      <div role="alert" className="refusal">
        {failure?.at === 'form' && failure.sentence}
      </div>
      <SettingsActions>
        <Button type="submit" loading={change.isPending} disabled={!canChange}>
          {text('settings.password.change')}
        </Button>
      </SettingsActions>
    </form>
  )
}

function failureOf(error: Error | null): { at: Field | 'form'; sentence: string } | undefined {
  if (!error) return undefined
  if (!(error instanceof ApiError)) return { at: 'form', sentence: failureText(error) }
  if (error.code === 'wrong_credentials') return { at: 'oldPassword', sentence: text('settings.password.wrong') }
  const isOfNew = error.code === 'weak_password' || error.fieldErrors['newPassword'] !== undefined
  return { at: isOfNew ? 'newPassword' : 'form', sentence: failureText(error) }
}

function wrongLength(password: string) {
  const { least, most } = passwordLength
  if (password.length > most) return text('passwordReset.tooLong', { most })
  return isLongEnough(password) ? undefined : text('passwordReset.tooShort', { least })
}

import { Button, PasswordInput } from '@mantine/core'
import { isLongEnough, passwordLength } from '@portcullis/contract/passwords'
import { type SubmitEvent, useState } from 'react'
import { text } from '../text/sign-in-text.ts'
import styles from './authentication-card.module.css'
import { PasswordStrength } from './password-strength.tsx'
import { usePasswordStrength } from './use-password-strength.ts'

type NewPasswordFormProps = {
  /** Name and email, where they are known: a password must not be made of them. */
  ownWords: readonly string[]
  isInFlight: boolean
  failure: string | undefined
  onSubmit: (password: string) => void
}

/** A new password, twice (specification §5): for a reset by mail, and in the Change Password modal. */
export function NewPasswordForm({ ownWords, isInFlight, failure, onSubmit }: NewPasswordFormProps) {
  const [values, setValues] = useState({ password: '', confirmPassword: '' })
  const [left, setLeft] = useState({ password: false, confirmPassword: false })
  const { password, confirmPassword } = values
  const strength = usePasswordStrength(password, ownWords)
  const lengthHint = wrongLength(password)
  const isLengthWrong = left.password && password !== '' && lengthHint !== undefined
  const isSame = password === confirmPassword
  const canReset = lengthHint === undefined && isSame && strength?.isEnough !== false

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isInFlight && canReset) onSubmit(password)
  }

  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <PasswordInput
        name="password"
        label={text('passwordReset.newPassword')}
        description={isLengthWrong ? undefined : text('passwordReset.tooShort', { least: passwordLength.least })}
        autoComplete="new-password"
        autoFocus
        data-autofocus
        value={password}
        onChange={(event) => setValues({ ...values, password: event.currentTarget.value })}
        onBlur={() => setLeft({ ...left, password: true })}
        error={isLengthWrong && lengthHint}
        visibilityToggleButtonProps={{ 'aria-label': text('login.showPassword'), tabIndex: 0 }}
      />
      {password !== '' && <PasswordStrength strength={strength} />}
      <PasswordInput
        name="confirmPassword"
        label={text('passwordReset.confirmPassword')}
        autoComplete="new-password"
        value={confirmPassword}
        onChange={(event) => setValues({ ...values, confirmPassword: event.currentTarget.value })}
        onBlur={() => setLeft({ ...left, confirmPassword: true })}
        error={left.confirmPassword && confirmPassword !== '' && !isSame && text('passwordReset.different')}
        visibilityToggleButtonProps={{ 'aria-label': text('login.showPassword'), tabIndex: 0 }}
      />
      <Button type="submit" fullWidth loading={isInFlight} disabled={!canReset}>
        {text('passwordReset.reset')}
      </Button>
      <div role="alert" className={styles.failure}>
        {failure}
      </div>
    </form>
  )
}

/** The text for a password that is too short or too long; the server names other faults. */
function wrongLength(password: string) {
  const { least, most } = passwordLength
  if (password.length > most) return text('passwordReset.tooLong', { most })
  return isLongEnough(password) ? undefined : text('passwordReset.tooShort', { least })
}

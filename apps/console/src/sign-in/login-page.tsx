import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type SubmitEvent, useRef, useState } from 'react'
import { text } from '../text/sign-in-text.ts'
import { AuthenticationCard } from './authentication-card.tsx'
import styles from './authentication-card.module.css'
import { AuthenticationLink } from './authentication-link.tsx'
import { focusAgain } from '../ui/refocus.ts'
import { isEmail } from './is-email.ts'
import { LocalSignIn } from './local-sign-in.tsx'
import type { Destination } from '../session/sign-in.ts'
import { loadSignIn, useSignIn } from './use-sign-in.tsx'

/** Specification §2, row `login`. `onSignedIn` decides where to go. */
export function LoginPage({ onSignedIn }: { onSignedIn: (to: Destination) => Promise<void> }) {
  const [values, setValues] = useState({ email: '', password: '' })
  const [isEmailLeft, setEmailLeft] = useState(false)
  const passwordField = useRef<HTMLInputElement>(null)
  const {
    submit: signIn,
    isInFlight,
    failure,
    clearFailure,
    mfa,
  } = useSignIn({
    onSignedIn,
    onRefused: () => focusAgain(passwordField.current),
  })

  const isEmailValid = isEmail(values.email)
  const isIncomplete = values.email === '' || values.password === ''
  const isEmailWrong = isEmailLeft && values.email !== '' && !isEmailValid

  function change(changed: Partial<typeof values>) {
    loadSignIn().catch(() => undefined)
    setValues({ ...values, ...changed })
    clearFailure()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isInFlight && !isIncomplete && isEmailValid) void signIn(values)
  }

  return (
    <AuthenticationCard title={text('login.title')} heading={text('login.heading')}>
      <LocalSignIn>
        <form onSubmit={submit} noValidate className={styles.form}>
          <TextInput
            type="email"
            name="email"
            label={text('login.email')}
            autoComplete="username"
            autoFocus
            value={values.email}
            onChange={(event) => change({ email: event.currentTarget.value })}
            onBlur={() => setEmailLeft(true)}
            error={isEmailWrong ? text('login.emailHint') : undefined}
          />
          <PasswordInput
            ref={passwordField}
            name="password"
            label={text('login.password')}
            autoComplete="current-password"
            value={values.password}
            onChange={(event) => change({ password: event.currentTarget.value })}
            visibilityToggleButtonProps={{ 'aria-label': text('login.showPassword'), tabIndex: 0 }}
          />
          <p className={styles.hint}>{isIncomplete ? text('login.hint') : ' '}</p>
          <Button type="submit" fullWidth loading={isInFlight} disabled={isIncomplete || !isEmailValid}>
            {text('login.signIn')}
          </Button>
          <div role="alert" className={styles.failure}>
            {failure}
          </div>
        </form>
        <p className={styles.aside}>
          <AuthenticationLink page="password-reset">{text('login.forgotPassword')}</AuthenticationLink>
        </p>
      </LocalSignIn>
      {mfa}
    </AuthenticationCard>
  )
}

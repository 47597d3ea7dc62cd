import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { text } from '../text/sign-in-text.ts'
import { AuthenticationCard } from './authentication-card.tsx'
import styles from './authentication-card.module.css'
import { AuthenticationLink } from './authentication-link.tsx'
import { isEmail } from './is-email.ts'

/** Specification §2, row `login`. `onSignedIn` decides where to go. */
export function LoginPage({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const [values, setValues] = useState({ email: '', password: '' })
  const [isEmailLeft, setEmailLeft] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isInFlight, setInFlight] = useState(false)

  const isEmailValid = isEmail(values.email)
  const isIncomplete = values.email === '' || values.password === ''
  const isEmailWrong = isEmailLeft && values.email !== '' && !isEmailValid

  function change(changed: Partial<typeof values>) {
    void loadSignIn()
    setValues({ ...values, ...changed })
    setFailure(undefined)
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isInFlight || isIncomplete || !isEmailValid) return
    setInFlight(true)
    setFailure(undefined)
    const { signIn } = await loadSignIn()
    const refusal = await signIn(values)
    if (refusal) setFailure(refusal)
    else await onSignedIn()
    setInFlight(false)
  }

  return (
    <AuthenticationCard title={text('login.title')} heading={text('login.heading')}>
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
    </AuthenticationCard>
  )
}

/** What speaks to the server is loaded while the person types: the page itself shows sooner without it. */
function loadSignIn() {
  return import('./sign-in.ts')
}

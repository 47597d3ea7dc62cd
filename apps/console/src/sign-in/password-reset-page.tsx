import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { text } from '../text/sign-in-text.ts'
import { AuthenticationCard } from './authentication-card.tsx'
import styles from './authentication-card.module.css'
import { AuthenticationLink } from './authentication-link.tsx'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { isEmail } from './is-email.ts'
import { LocalSignIn } from './local-sign-in.tsx'

/** Specification §2, row `password-reset`. */
export function PasswordResetPage() {
  const [email, setEmail] = useState('')
  const [isEmailLeft, setEmailLeft] = useState(false)
  const [timesSent, setTimesSent] = useState(0)
  const send = useMutation({
    mutationFn: () => client.forgotPassword(email.trim()),
    onSuccess: () => setTimesSent(timesSent + 1),
  })
  const isEmailWrong = isEmailLeft && email !== '' && !isEmail(email)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isEmail(email) && !send.isPending) send.mutate()
  }

  return (
    <AuthenticationCard title={text('passwordReset.title')} heading={text('passwordReset.heading')}>
      <LocalSignIn>
        {timesSent === 0 ? (
          <form onSubmit={submit} noValidate className={styles.form}>
            <p>{text('passwordReset.hint')}</p>
            <TextInput
              type="email"
              name="email"
              label={text('login.email')}
              autoComplete="username"
              autoFocus
              value={email}
              onChange={(event) => {
                setEmail(event.currentTarget.value)
                send.reset()
              }}
              onBlur={() => setEmailLeft(true)}
              error={isEmailWrong ? text('login.emailHint') : undefined}
            />
            <Button type="submit" fullWidth loading={send.isPending} disabled={!isEmail(email)}>
              {text('passwordReset.send')}
            </Button>
            <Failure of={send.error} />
          </form>
        ) : (
          <>
            <p className={styles.notice} tabIndex={-1} ref={focusOn}>
              {text('passwordReset.sent', { email: email.trim() })}
            </p>
            <div className={styles.actions}>
              <Button variant="default" fullWidth loading={send.isPending} onClick={() => send.mutate()}>
                {text('passwordReset.resend')}
              </Button>
              <div role="status">{timesSent > 1 && send.isSuccess && text('passwordReset.sentAgain')}</div>
              <Failure of={send.error} />
            </div>
          </>
        )}
      </LocalSignIn>
      <p className={styles.aside}>
        <AuthenticationLink page="login">{text('passwordReset.back')}</AuthenticationLink>
      </p>
    </AuthenticationCard>
  )
}

function Failure({ of }: { of: Error | null }) {
  return (
    <div role="alert" className={styles.failure}>
      {of && failureText(of)}
    </div>
  )
}

/** The form is gone with the field that had the focus: a screen reader announces what replaced it. */
function focusOn(element: HTMLElement | null) {
  element?.focus()
}

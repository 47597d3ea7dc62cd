import { ActionIcon, PasswordInput } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { initialsOf } from '../ui/initials.ts'
import { text } from '../text/text.ts'
import { AuthenticationCard } from './authentication-card.tsx'
import styles from './authentication-card.module.css'
import { AuthenticationLink } from './authentication-link.tsx'
import { LocalSignIn } from './local-sign-in.tsx'
import { focusAgain } from '../ui/refocus.ts'
import { forgetPerson, type RememberedUser } from '../session/remembered-user.ts'
import locked from './lock-page.module.css'
import type { Destination } from '../session/sign-in.ts'
import { useSignIn } from './use-sign-in.tsx'

type Props = { person: RememberedUser; onSignedIn: (to: Destination) => Promise<void> }

/** Specification §2, row `lock`: the session has ended, and the browser remembers the user. */
export function LockPage({ person, onSignedIn }: Props) {
  const [password, setPassword] = useState('')
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

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isInFlight && password !== '') void signIn({ email: person.email, password })
  }

  return (
    <AuthenticationCard title={text('lock.title')} heading={text('lock.heading')}>
      <div className={locked.person}>
        <Picture {...person} />
        <div>
          <span className={locked.label}>{text('lock.loggedInAs')}</span>
          <b>{person.name}</b>
        </div>
      </div>
      <LocalSignIn>
        <p>{text('lock.timedOut')}</p>
        <form onSubmit={submit} noValidate className={styles.form}>
          {/* For password managers, which look for the user name of the password. */}
          <input type="email" name="email" autoComplete="username" value={person.email} readOnly hidden />
          <div className={locked.field}>
            <PasswordInput
              ref={passwordField}
              name="password"
              label={text('login.password')}
              autoComplete="current-password"
              autoFocus
              value={password}
              onChange={(event) => {
                setPassword(event.currentTarget.value)
                clearFailure()
              }}
              visibilityToggleButtonProps={{ 'aria-label': text('login.showPassword'), tabIndex: 0 }}
            />
            <ActionIcon
              type="submit"
              variant="filled"
              size={36}
              aria-label={text('lock.submit')}
              loading={isInFlight}
              disabled={password === ''}
            >
              <IconArrowRight size={18} aria-hidden="true" />
            </ActionIcon>
          </div>
          <div role="alert" className={styles.failure}>
            {failure}
          </div>
        </form>
      </LocalSignIn>
      <p className={styles.aside}>
        <AuthenticationLink page="login" forgets="returnUrl" onClick={forgetPerson}>
          {text('lock.different')}
        </AuthenticationLink>
      </p>
      {mfa}
    </AuthenticationCard>
  )
}

/** The picture, or the initials where there is none or it needs a session. */
function Picture({ name, img }: RememberedUser) {
  const [isBroken, setBroken] = useState(false)
  if (img === null || isBroken) {
    return (
      <span className={locked.picture} aria-hidden="true">
        {initialsOf(name)}
      </span>
    )
  }
  return <img className={locked.picture} src={img} alt="" onError={() => setBroken(true)} />
}

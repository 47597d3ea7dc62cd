import { Button, TextInput } from '@mantine/core'
import { isSessionEnded } from '@portcullis/client/api-error'
import { recoveryCode } from '@portcullis/contract/calls/mfa'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { text } from '../text/text.ts'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { focusAgain } from '../ui/refocus.ts'
import styles from './mfa.module.css'
import { isOneTimeCode, OneTimeCodeField } from './one-time-code-field.tsx'
import type { SignedIn } from '../session/sign-in.ts'

type Props = {
  /** The previous error, if any. */
  failure: string | undefined
  onSignedIn: (answer: SignedIn) => void
  onEnded: (message: string) => void
}

/** Asks for a code of the authenticator, or for a recovery code, and completes the sign-in with it. */
export function MfaSignIn({ failure, onSignedIn, onEnded }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [kind, setKind] = useState<'app' | 'recovery'>('app')
  const [value, setValue] = useState('')
  const [earlier, setEarlier] = useState(failure)
  const send = useMutation({
    mutationFn: () => client.mfa.signIn(kind === 'app' ? { code: value } : { recoveryCode: value }),
    onSuccess: onSignedIn,
    onError(error) {
      if (isSessionEnded(error)) onEnded(failureText(error))
      else focusAgain(field.current)
    },
  })
  const isValid = kind === 'app' ? isOneTimeCode(value) : isRecoveryCode(value)
  const message = send.error ? failureText(send.error) : earlier

  function change(next: string) {
    setValue(next)
    setEarlier(undefined)
    send.reset()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isValid && !send.isPending) send.mutate()
  }

  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <p>{text(kind === 'app' ? 'mfa.signInHint' : 'mfa.recoveryHint')}</p>
      {kind === 'app' ? (
        <OneTimeCodeField key="app" ref={field} value={value} onChange={change} failure={message} autoFocus />
      ) : (
        <TextInput
          key="recovery"
          name="recoveryCode"
          label={text('mfa.recoveryCode')}
          ref={field}
          autoFocus
          classNames={{ input: styles.recoveryCode ?? '' }}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={value}
          onChange={(event) => change(event.currentTarget.value)}
          error={message ?? (value !== '' && !isValid && text('mfa.invalidRecoveryCode'))}
        />
      )}
      <Button type="submit" fullWidth loading={send.isPending} disabled={!isValid}>
        {text('mfa.signIn')}
      </Button>
      <Button
        variant="subtle"
        fullWidth
        onClick={() => {
          setKind(kind === 'app' ? 'recovery' : 'app')
          change('')
        }}
      >
        {text(kind === 'app' ? 'mfa.useRecoveryCode' : 'mfa.useApp')}
      </Button>
    </form>
  )
}

function isRecoveryCode(value: string) {
  return recoveryCode.safeParse(value).success
}

import { Button, CopyButton } from '@mantine/core'
import { ApiError, isSessionEnded } from '@portcullis/client/api-error'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { toast } from '../ui/toasts.ts'
import { text } from '../text/text.ts'
import { client } from '../session/client.ts'
import { failureText } from '../session/failure-text.ts'
import { focusAgain } from '../ui/refocus.ts'
import { logFailure } from '../session/log-failure.ts'
import styles from './mfa.module.css'
import { isOneTimeCode, OneTimeCodeField } from './one-time-code-field.tsx'
import type { SignedIn } from '../session/sign-in.ts'

type Enrolled = { codes: readonly string[]; signedIn: SignedIn | undefined; failure?: string }
type Props = {
  isForced: boolean
  onEnrolled: (enrolled: Enrolled) => void
  onEnded: (message: string) => void
}

/** The three steps of specification §4: install an app, give it the key, confirm it with a code. */
export function MfaSetUp({ isForced, onEnrolled, onEnded }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const ask = useMutation({ mutationFn: requestKey, onError: leaveIfEnded })
  const enrol = useMutation({
    mutationFn: enrolWith,
    onSuccess(enrolled) {
      toast({ text: text('mfa.setUpComplete') })
      onEnrolled(enrolled)
    },
    onError(error) {
      toast({ tone: 'refusal', text: text('mfa.setUpFailed') })
      focusAgain(field.current)
      leaveIfEnded(error)
    },
  })
  const key = ask.data
  const canVerify = isOneTimeCode(code) && key !== undefined

  async function enrolWith(given: string): Promise<Enrolled> {
    const { recoveryCodes: codes } = await client.mfa.enrol(given)
    try {
      return { codes, signedIn: await client.mfa.signIn({ code: given }) }
    } catch (error) {
      // The recovery codes are always shown, because they are shown only once.
      return { codes, signedIn: undefined, failure: failureText(error) }
    }
  }

  function leaveIfEnded(error: Error) {
    if (isSessionEnded(error)) onEnded(failureText(error))
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (canVerify && !enrol.isPending) enrol.mutate(code)
  }

  return (
    <form onSubmit={submit} noValidate>
      {isForced && <p className={styles.forced}>{text('mfa.forced')}</p>}
      <ol className={styles.steps}>
        <li>
          <h3>{text('mfa.downloadTitle')}</h3>
          <p>{text('mfa.downloadHint')}</p>
        </li>
        <li>
          <h3>{text('mfa.scanTitle')}</h3>
          <p>{text('mfa.scanHint')}</p>
          <Button
            variant="default"
            data-autofocus
            loading={ask.isPending}
            disabled={key !== undefined}
            onClick={() => ask.mutate()}
          >
            {text('mfa.showQr')}
          </Button>
          <div role="alert" className="refusal">
            {ask.error && failureText(ask.error)}
          </div>
          {key && <KeyToScan qrImage={key.qrImage} secret={key.key} />}
        </li>
        <li>
          <h3>{text('mfa.enterTitle')}</h3>
          <p>{text('mfa.enterHint')}</p>
          <OneTimeCodeField
            ref={field}
            value={code}
            onChange={(next) => {
              setCode(next)
              enrol.reset()
            }}
            failure={enrol.error ? enrolFailureOf(enrol.error) : undefined}
          />
          <Button type="submit" loading={enrol.isPending} disabled={!canVerify}>
            {text('mfa.verify')}
          </Button>
        </li>
      </ol>
    </form>
  )
}

function KeyToScan({ qrImage, secret }: { qrImage: string; secret: string }) {
  return (
    <div className={styles.scan}>
      <img src={qrImage} alt={text('mfa.qrAlt')} width={240} height={240} />
      <p>{text('mfa.manualKey')}</p>
      <div className={styles.key}>
        <code>{secret}</code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy} aria-label={copied ? undefined : text('mfa.copyKey')}>
              {text(copied ? 'action.copied' : 'action.copy')}
            </Button>
          )}
        </CopyButton>
      </div>
    </div>
  )
}

/** Requests a new key. An answer without image or key is only logged (specification §8). */
async function requestKey() {
  const key = await client.mfa.setUp().catch((error: unknown) => {
    if (!(error instanceof ApiError)) logFailure('Setup failed', error)
    throw error
  })
  if (key.qrImage && key.key) return key
  logFailure('Setup failed')
  return undefined
}

function enrolFailureOf(error: Error) {
  const isWrong = error instanceof ApiError && (error.code === 'wrong_code' || error.code === 'bad_request')
  return isWrong ? text('mfa.enrolFailed') : failureText(error)
}

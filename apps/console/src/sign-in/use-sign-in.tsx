import { lazy, type ReactNode, Suspense, useState } from 'react'
import { text } from '../text/sign-in-text.ts'
import type { Destination } from '../session/sign-in.ts'

const SignInMfa = lazy(async () => ({ default: (await import('./sign-in-mfa.tsx')).SignInMfa }))

type Credentials = { email: string; password: string }
type Asked = { onSignedIn: (to: Destination) => Promise<void>; onRefused: () => void }

/** What speaks to the server is loaded while the person types: the page itself shows sooner without it. */
export function loadSignIn() {
  return import('../session/sign-in.ts')
}

/** A sign-in from the password over the code to where it leads (specification §4, Local login). */
export function useSignIn({ onSignedIn, onRefused }: Asked) {
  const [failure, setFailure] = useState<string>()
  const [isInFlight, setInFlight] = useState(false)
  const [owed, setOwed] = useState<{ isEnrolled: boolean }>()

  async function submit(credentials: Credentials) {
    setInFlight(true)
    setFailure(undefined)
    const outcome = await loadSignIn().then(({ signIn }) => signIn(credentials), unreachable)
    if (outcome.is === 'refused') {
      setFailure(outcome.told)
      onRefused()
    }
    if (outcome.is === 'code_owed') setOwed({ isEnrolled: outcome.isEnrolled })
    if (outcome.is === 'signed_in') await onSignedIn(outcome.to)
    setInFlight(false)
  }

  const mfa: ReactNode = owed && (
    <Suspense>
      <SignInMfa
        isEnrolled={owed.isEnrolled}
        onSignedIn={(to) => void onSignedIn(to)}
        onGivenUp={(told) => {
          setOwed(undefined)
          setFailure(told)
        }}
      />
    </Suspense>
  )
  return { submit, isInFlight, failure, clearFailure: () => setFailure(undefined), mfa }
}

/** What would speak to the server did not come from it. */
function unreachable() {
  return { is: 'refused', told: text('error.unreachable') } as const
}

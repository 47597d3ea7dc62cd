import { lazy, type ReactNode, Suspense, useState } from 'react'
import { text } from '../text/sign-in-text.ts'
import type { Destination } from '../session/sign-in.ts'

const SignInMfa = lazy(async () => ({ default: (await import('./sign-in-mfa.tsx')).SignInMfa }))

type Credentials = { email: string; password: string }
type UseSignInInput = { onSignedIn: (to: Destination) => Promise<void>; onRefused: () => void }

/** The client loads while the user types, so that the page itself appears sooner. */
export function loadSignIn() {
  return import('../session/sign-in.ts')
}

/** A sign-in from the password and the code to its target (specification §4, Local login). */
export function useSignIn({ onSignedIn, onRefused }: UseSignInInput) {
  const [failure, setFailure] = useState<string>()
  const [isInFlight, setInFlight] = useState(false)
  const [owed, setOwed] = useState<{ isEnrolled: boolean }>()

  async function submit(credentials: Credentials) {
    setInFlight(true)
    setFailure(undefined)
    const outcome = await loadSignIn().then(({ signIn }) => signIn(credentials), unreachable)
    if (outcome.is === 'refused') {
      setFailure(outcome.sentence)
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
        onGivenUp={(sentence) => {
          setOwed(undefined)
          setFailure(sentence)
        }}
      />
    </Suspense>
  )
  return { submit, isInFlight, failure, clearFailure: () => setFailure(undefined), mfa }
}

/** The client could not be loaded. */
function unreachable() {
  return { is: 'refused', sentence: text('error.unreachable') } as const
}

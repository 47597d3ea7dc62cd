import type { login } from '@portcullis/contract/calls/authentication'
import type { z } from 'zod'
import { client } from './client.ts'
import { failureText } from './failure-text.ts'
import { forgetSession } from './forget-session.ts'
import { keepPerson } from './kept-person.ts'
import { markActivity } from './last-activity.ts'
import { queryClient } from './query-client.ts'
import { tellTabs } from './session-channel.ts'

export type SignedIn = z.output<typeof login.output>

/** What became of a sign-in (specification §4): a refusal to tell, a code that is owed, or a place to go to. */
export type SignInOutcome =
  | { is: 'refused'; told: string }
  | { is: 'code_owed'; isEnrolled: boolean }
  | { is: 'signed_in'; to: Destination }
export type Destination = 'home' | 'email-request'

/** Signs in with e-mail and password. A failure logs out (specification §8). */
export async function signIn({ email, password }: { email: string; password: string }): Promise<SignInOutcome> {
  try {
    const answer = await client.login({ email: email.trim(), password, type: 'Local' })
    // Of who has not confirmed their e-mail yet no code is asked: that comes with the sign-in after it.
    if (answer.mfa) return { is: 'code_owed', isEnrolled: answer.mfaEnrolled }
    return { is: 'signed_in', to: completeSignIn(answer) }
  } catch (error) {
    const wasSignedIn = queryClient.getQueriesData({ queryKey: ['me'] }).some(([, data]) => data)
    forgetSession()
    if (wasSignedIn) await client.logout().catch(() => undefined)
    return { is: 'refused', told: failureText(error) }
  }
}

/** From here on this browser knows who is signed in. */
export function completeSignIn({ verified, currentUser }: SignedIn): Destination {
  const { name, email, img } = currentUser
  forgetSession()
  keepPerson({ name, email, img, isLocked: false, returnUrl: null })
  markActivity(Date.now())
  tellTabs({ kind: 'signed_in', user: currentUser._id })
  return verified ? 'home' : 'email-request'
}

/** Who was asked for a code and went away is nobody. */
export async function giveUpSignIn() {
  await client.logout().catch(() => undefined)
  forgetSession()
}

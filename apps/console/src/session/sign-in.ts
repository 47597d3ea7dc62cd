import type { login } from '@portcullis/contract/calls/authentication'
import type { z } from 'zod'
import { client } from './client.ts'
import { failureText } from './failure-text.ts'
import { configurationQuery } from './configuration-query.ts'
import { forgetSession } from './forget-session.ts'
import { rememberUser } from './remembered-user.ts'
import { markActivity } from './last-activity.ts'
import { queryClient } from './query-client.ts'
import { isRefusal } from './refusals.ts'
import { postToTabs } from './session-channel.ts'

export type SignedIn = z.output<typeof login.output>

/** The result of a sign-in (specification §4): a refusal to show, a required code, or a place to go to. */
export type SignInOutcome =
  | { is: 'refused'; sentence: string }
  | { is: 'code_owed'; isEnrolled: boolean }
  | { is: 'signed_in'; to: Destination }
export type Destination = 'home' | 'email-request'

/** Signs in with email and password. A failure logs out, in all tabs (specification §8). */
export async function signIn({ email, password }: { email: string; password: string }): Promise<SignInOutcome> {
  try {
    const answer = await client.login({ email: email.trim(), password, type: 'Local' })
    // A user with an unconfirmed email is not asked for a code: that follows with the next sign-in.
    if (answer.mfa) return { is: 'code_owed', isEnrolled: answer.mfaEnrolled }
    return { is: 'signed_in', to: completeSignIn(answer) }
  } catch (error) {
    const wasSignedIn = queryClient.getQueriesData({ queryKey: ['me'] }).some(([, data]) => data)
    forgetSession()
    // A server that answers has ended the session already.
    if (isRefusal(error) || (wasSignedIn && (await isLoggedOut()))) postToTabs({ kind: 'over' })
    return { is: 'refused', sentence: failureText(error) }
  }
}

function isLoggedOut() {
  return client.logout().then(
    () => true,
    () => false,
  )
}

/** From here on this browser remembers the user. */
export function completeSignIn({ verified, currentUser }: SignedIn): Destination {
  const { name, email, img } = currentUser
  forgetSession()
  // A page that has been open for long may not know the newest policies.
  void queryClient.invalidateQueries({ queryKey: configurationQuery.queryKey })
  rememberUser({ name, email, img, isLocked: false, returnUrl: null })
  markActivity(Date.now())
  postToTabs({ kind: 'signed_in', user: currentUser._id })
  return verified ? 'home' : 'email-request'
}

/** A user who left instead of entering a code is signed out. */
export async function abandonSignIn() {
  await client.logout().catch(() => undefined)
  forgetSession()
}

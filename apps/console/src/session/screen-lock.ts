import type { CurrentUser } from '@portcullis/contract/calls/authentication'
import { client } from './client.ts'
import { forgetSession } from './forget-session.ts'
import { rememberUser, rememberedUser } from './remembered-user.ts'
import { postToTabs } from './session-channel.ts'
import { endSession } from './session-end.ts'

/** Locks every tab. The lock screen ends the session on the server. */
export function lockScreen({ name, email, img }: CurrentUser, returnUrl: string) {
  rememberUser({ name, email, img, isLocked: true, returnUrl })
  endSession('locked')
  postToTabs({ kind: 'locked' })
}

/** Ends the session before the lock screen shows. Returns whether this browser remembers a user to ask for a password. */
export async function enterLock(): Promise<boolean> {
  const person = rememberedUser()
  if (person) rememberUser({ ...person, isLocked: true })
  // Awaited, so that its answer cannot remove the cookie of the next sign-in.
  await client.logout().catch(() => undefined)
  forgetSession()
  return person !== undefined
}

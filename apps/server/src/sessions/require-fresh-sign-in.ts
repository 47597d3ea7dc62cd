import { AppError } from '../errors/app-error.ts'
import type { SessionPerson } from './session-store.ts'

/** Changes to the user's own security need a sign-in or confirmation in the last ten minutes. */
export function requireFreshSignIn({ session }: SessionPerson) {
  if (session.isFresh) return
  throw new AppError('fresh_sign_in_needed')
}

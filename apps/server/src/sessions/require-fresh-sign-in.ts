import { AppError } from '../errors/app-error.ts'
import type { SessionPerson } from './session-store.ts'

/** Refuses what concerns a person's own security unless they have shown who they are in the last ten minutes. */
export function requireFreshSignIn({ session }: SessionPerson) {
  if (session.isFresh) return
  throw new AppError('fresh_sign_in_needed')
}

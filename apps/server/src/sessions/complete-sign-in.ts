import { AppError } from '../errors/app-error.ts'
import type { SessionPerson } from './session-store.ts'

/** What a sign-in still needs after the right password. */
export type Lack = 'verified email' | 'code'

/**
 * What somebody who has signed in still lacks before they may do anything else. The e-mail comes first: the product asks for
 * it before the code (specification §4).
 */
export function lackOf({ verified, session }: SessionPerson): Lack | undefined {
  if (!verified) return 'verified email'
  return session.owesCode ? 'code' : undefined
}

export function refusalFor(lack: Lack) {
  return lack === 'code' ? new AppError('code_owed') : new AppError('unverified')
}

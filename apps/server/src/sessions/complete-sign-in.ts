import { AppError } from '../errors/app-error.ts'
import type { SessionPerson } from './session-store.ts'

/** The next step of a sign-in after the right password. */
export type Lack = 'verified email' | 'code'

/**
 * The step that a signed-in user must complete before anything else. Email verification comes before the code
 * (specification §4).
 */
export function missingStepOf({ verified, session }: SessionPerson): Lack | undefined {
  if (!verified) return 'verified email'
  return session.owesCode ? 'code' : undefined
}

export function refusalFor(lack: Lack) {
  return lack === 'code' ? new AppError('code_owed') : new AppError('unverified')
}

import { AppError } from '../errors/app-error.ts'

/** Sensitive calls need a sign-in or confirmation in the last ten minutes: a session that was left open is not enough. */
export function requireFreshSignIn({ freshUntil }: { freshUntil: string | null }) {
  if (freshUntil !== null && Date.parse(freshUntil) > Date.now()) return
  throw new AppError('fresh_sign_in_needed')
}

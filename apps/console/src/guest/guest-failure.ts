import { ApiError } from '@portcullis/client/api-error'
import { text as signInText } from '../text/sign-in-text.ts'
import { text } from './guest-words.ts'

/** Words for a request that failed. */
export function guestFailure(error: unknown) {
  if (!(error instanceof ApiError)) return signInText('error.unknown')
  if (error.code === 'too_many') return text('guest.tooMany')
  return signInText(error.code === 'unreachable' ? 'error.unreachable' : 'error.unknown')
}

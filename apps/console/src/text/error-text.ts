import type { ApiError } from '@portcullis/client/api-error'
import { text } from './text.ts'

/**
 * What to tell a person about an error. A rule of the trade that refuses says why in the server's own sentence; everything
 * else is translated from its code.
 */
export function errorText(error: ApiError): string {
  const isOwnSentence = ['refused', 'still_in_use', 'weak_password'].includes(error.code)
  return isOwnSentence && error.message ? error.message : text(`error.${error.code}`)
}

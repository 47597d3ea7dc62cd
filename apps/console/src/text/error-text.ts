import type { ApiError } from '@portcullis/client/api-error'
import { text } from './text.ts'

/**
 * What to tell a person about an error. A rule of the trade that refuses says why in the server's own sentence, and a weak
 * password what would make it stronger; what is taken, who has it, as far as one may see them; everything else is translated
 * from its code.
 */
export function errorText(error: ApiError): string {
  if (error.code === 'weak_password') return [text('error.weak_password'), ...Object.values(error.fields)].join(' ')
  if (error.code === 'taken' && error.holder?.name) return text('error.takenBy', { name: error.holder.name })
  const isOwnSentence = error.code === 'refused' || error.code === 'still_in_use'
  return isOwnSentence && error.message ? error.message : text(`error.${error.code}`)
}

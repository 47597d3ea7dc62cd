import { ApiError } from '@portcullis/client/api-error'
import { errorText } from '../text/error-text.ts'
import { text } from '../text/text.ts'

/** The text of a failure for the user. */
export function failureText(error: unknown): string {
  return error instanceof ApiError ? errorText(error) : text('error.unknown')
}

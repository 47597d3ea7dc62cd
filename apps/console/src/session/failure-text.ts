import { ApiError } from '@portcullis/client/api-error'
import { errorText } from '../text/error-text.ts'
import { text } from '../text/text.ts'

/** What to tell a person of something that failed. */
export function failureText(error: unknown): string {
  return error instanceof ApiError ? errorText(error) : text('error.unknown')
}

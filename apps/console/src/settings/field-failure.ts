import { ApiError } from '@portcullis/client/api-error'
import { failureText } from '../session/failure-text.ts'

/** What to tell at a field of a form with one field: the server's sentence for it, where it has one. */
export function fieldFailure(error: Error, field: string): string {
  return (error instanceof ApiError ? error.fields[field] : undefined) ?? failureText(error)
}

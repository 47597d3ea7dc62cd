import { failureText } from '../session/failure-text.ts'
import { fieldErrorText } from '../text/error-text.ts'

/** What to tell at a field of a form with one field: what is wrong with the field, where the server says so. */
export function fieldFailure(error: Error, field: string): string {
  return fieldErrorText(error, field) ?? failureText(error)
}

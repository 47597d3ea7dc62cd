import { failureText } from '../session/failure-text.ts'
import { fieldErrorText } from '../text/error-text.ts'

/** The error of a form with a single field: the field's own, where the server reports one. */
export function fieldFailure(error: Error, field: string): string {
  return fieldErrorText(error, field) ?? failureText(error)
}

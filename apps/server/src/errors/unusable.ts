import type { Problem } from '@portcullis/contract/errors/problem'
import { AppError } from './app-error.ts'

/** The 400 for a parameter that cannot be used, with the reason. */
export function unusable(parameter: string, why: Problem, cause?: unknown) {
  return new AppError('bad_request', {}, { fields: { [parameter]: why }, cause })
}

import { AppError } from './app-error.ts'

/** The 400 that says which parameter can't be used, and why. */
export function unusable(parameter: string, why: string, cause?: unknown) {
  const message = `The ${parameter} can't be used: ${why}.`
  return new AppError('bad_request', message, { fields: { [parameter]: message }, cause })
}

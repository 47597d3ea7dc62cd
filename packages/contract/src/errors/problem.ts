import type { ErrorCode } from '../errors.ts'
import type { FieldCode } from './field-codes.ts'
import type { Parameters, ParametersOf } from './parameters.ts'

export type ProblemCode = ErrorCode | FieldCode

/** An error of a request as a whole or of one of its fields, as code and parameters. */
export type Problem = { readonly code: string; readonly parameters: Readonly<Parameters> }

type ProblemInput<C> = Record<never, never> extends ParametersOf<C> ? [parameters?: ParametersOf<C>] : [ParametersOf<C>]

/** A problem whose parameters are those of its code: `problem('too_short', { minimum: 3 })`. */
export function problem<C extends ProblemCode>(code: C, ...[given]: ProblemInput<C>): Problem {
  return { code, parameters: withoutAbsent({ ...given }) }
}

/** An answer does not repeat a long text of its request. */
const maxCharacters = 300

function withoutAbsent(given: Readonly<Record<string, Parameters[string] | undefined>>): Parameters {
  const entries = Object.entries(given)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, shortened(value)]])))
}

function shortened(value: Parameters[string]): Parameters[string] {
  return typeof value === 'string' && value.length > maxCharacters ? `${value.slice(0, maxCharacters)}…` : value
}

import type { z } from 'zod'
import { fieldParameters } from './parameters.ts'
import { isFieldCode } from './field-codes.ts'
import { type Problem, problem } from './problem.ts'

/**
 * Converts a schema issue to the code of a field with its parameters. Our own schemas give a code as their message; for
 * other issues zod's codes decide. Parse with `reportInput`, so that a missing value is distinguished from a wrong one.
 */
export function fieldProblem(issue: z.core.$ZodIssue | z.core.$ZodRawIssue): Problem {
  const { message = '' } = issue
  if (isFieldCode(message)) return { code: message, parameters: ownParameters(issue) }
  if (isAbsent(issue)) return problem('required')
  switch (issue.code) {
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_format':
      return problem(formatCodes[issue.format] ?? 'invalid')
    case 'invalid_type':
      return issue.expected === 'int'
        ? problem('not_whole_number')
        : problem('wrong_type', { expected: issue.expected })
    case 'invalid_value':
      return problem('not_one_of', { options: issue.values.map(String) })
    case 'unrecognized_keys':
      return problem('unknown_field')
    default:
      return problem('invalid')
  }
}

/**
 * The parameters that a schema gives with its own code: `refine(isLongEnough, { error: fieldCode('too_short'), params:
 * { minimum: 12 } })`.
 */
function ownParameters(issue: z.core.$ZodIssue | z.core.$ZodRawIssue): Problem['parameters'] {
  const given: Readonly<Record<string, unknown>> = issue.code === 'custom' ? (issue.params ?? {}) : {}
  const names: Readonly<Record<string, object>> = fieldParameters
  const entries = Object.keys(names[issue.message ?? ''] ?? {}).flatMap((name) => {
    const value = given[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : []
  })
  return Object.fromEntries(entries)
}

function isAbsent({ code, input }: z.core.$ZodIssue | z.core.$ZodRawIssue) {
  return code !== 'unrecognized_keys' && (input === undefined || input === null || input === '')
}

type Bound<C> = Extract<z.core.$ZodIssue | z.core.$ZodRawIssue, { code: C }>

function tooSmall({ origin, minimum }: Bound<'too_small'>) {
  if (origin === 'string')
    return Number(minimum) <= 1 ? problem('required') : problem('too_short', { minimum: Number(minimum) })
  if (origin === 'array')
    return Number(minimum) <= 1 ? problem('required') : problem('too_few', { minimum: Number(minimum) })
  return problem('below_minimum', { minimum: Number(minimum) })
}

function tooBig({ origin, maximum }: Bound<'too_big'>) {
  if (origin === 'string') return problem('too_long', { maximum: Number(maximum) })
  if (origin === 'array') return problem('too_many_entries', { maximum: Number(maximum) })
  return problem('above_maximum', { maximum: Number(maximum) })
}

const formatCodes: Readonly<Record<string, 'invalid_email' | 'invalid_id' | 'invalid_date' | 'invalid_moment'>> = {
  email: 'invalid_email',
  uuid: 'invalid_id',
  date: 'invalid_date',
  datetime: 'invalid_moment',
}

import { fieldProblem } from '@portcullis/contract/errors/field-problem'
import { type Problem, problem } from '@portcullis/contract/errors/problem'
import type { z } from 'zod'
import { AppError } from '../errors/app-error.ts'

/** Parses what came from outside; what does not fit is a 400 that names each field and what is wrong with it. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input, { reportInput: true })
  // A map, for every object has fields of its prototype, such as `constructor`.
  const wrong = new Map<string, Problem>()
  for (const issue of parsed.error?.issues ?? []) {
    for (const name of namesOf(issue)) put(name, fieldProblem(issue))
  }
  for (const [name, value] of entriesOf(input)) {
    if (!isStorable(value)) put(name, problem('unstorable'))
  }
  if (parsed.success && wrong.size === 0) return parsed.data
  throw new AppError('bad_request', {}, { fields: Object.fromEntries(wrong) })

  function put(name: string, found: Problem) {
    if (!wrong.has(name)) wrong.set(name, found)
  }
}

/** Whether PostgreSQL can keep the texts in a value: it has no NUL and no half of a surrogate pair. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed()
  return entriesOf(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function namesOf(issue: z.core.$ZodIssue) {
  if (issue.code === 'unrecognized_keys') return issue.keys
  return [issue.path.join('.') || 'body']
}

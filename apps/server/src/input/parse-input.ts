import { fieldProblem } from '@portcullis/contract/errors/field-problem'
import { type Problem, problem } from '@portcullis/contract/errors/problem'
import type { z } from 'zod'
import { AppError } from '../errors/app-error.ts'

/** An answer must not outgrow its request: it names this many fields, and counts the others. */
const mostNamed = 20
const mostNameCharacters = 100

/** Parses external input; invalid input is a 400 that names up to 20 fields and their problems. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input, { reportInput: true })
  // A map, because objects inherit fields such as `constructor` from their prototype.
  const wrong = new Map<string, Problem>()
  for (const issue of parsed.error?.issues ?? []) {
    for (const name of namesOf(issue)) put(name, fieldProblem(issue))
  }
  for (const [name, value] of entriesOf(input)) {
    if (!isStorable(value)) put(name, problem('unstorable'))
  }
  if (parsed.success && wrong.size === 0) return parsed.data
  const named = [...wrong]
    .slice(0, mostNamed)
    .map(([name, found]) => [name.slice(0, mostNameCharacters), found] as const)
  const furtherFields = wrong.size - named.length
  throw new AppError('bad_request', {}, { fields: Object.fromEntries(named), furtherFields })

  function put(name: string, found: Problem) {
    if (!wrong.has(name)) wrong.set(name, found)
  }
}

/** Whether PostgreSQL can store the texts in a value: it refuses NUL and lone surrogates. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed()
  return entriesOf(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function namesOf(issue: z.core.$ZodIssue) {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...issue.path, key].join('.'))
  return [issue.path.join('.') || 'body']
}

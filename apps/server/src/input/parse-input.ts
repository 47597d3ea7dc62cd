import { fieldProblem } from '@portcullis/contract/errors/field-problem'
import { type Problem, problem } from '@portcullis/contract/errors/problem'
import type { z } from 'zod'
import { AppError } from '../errors/app-error.ts'

/** An answer must not outgrow its request: it names this many fields, and counts the others. */
const maxNamed = 20
const maxNameCharacters = 100
/** How many entries of a list are checked first: each invalid one takes some microseconds. */
const maxAtOnce = 1_000

/** Parses external input; invalid input is a 400 that names up to 20 fields and their problems. */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const shortened = beginningOf(input)
  if (shortened !== undefined) {
    const { issues = [] } = schema.safeParse(shortened, { reportInput: true }).error ?? {}
    const inEntries = issues.filter(({ path }) => path.length > 1)
    if (inEntries.length > maxNamed) throw refusalOf(inEntries, [])
  }
  const parsed = schema.safeParse(input, { reportInput: true })
  const unstorable = entriesOf(input).flatMap(([name, value]) => (isStorable(value) ? [] : [name]))
  if (parsed.success && unstorable.length === 0) return parsed.data
  throw refusalOf(parsed.error?.issues ?? [], unstorable)
}

/** Names the first invalid fields, and only counts the others: there may be one for each few bytes of the request. */
function refusalOf(issues: readonly z.core.$ZodIssue[], unstorable: readonly string[]) {
  // A map, because objects inherit fields such as `constructor` from their prototype.
  const wrong = new Map<string, Problem>()
  let furtherFields = 0
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) put([...issue.path, key], issue)
    else put(issue.path, issue)
  }
  for (const name of unstorable) put([name], undefined)
  return new AppError('bad_request', {}, { fields: Object.fromEntries(wrong), furtherFields })

  function put(path: readonly PropertyKey[], issue: z.core.$ZodIssue | undefined) {
    const name = wrong.size < maxNamed ? (path.join('.') || 'body').slice(0, maxNameCharacters) : undefined
    if (name === undefined) furtherFields += 1
    else if (!wrong.has(name)) wrong.set(name, issue ? fieldProblem(issue) : problem('unstorable'))
  }
}

/**
 * The input with only the beginning of its long lists, or undefined if it has none. A schema checks every entry of a list and
 * describes each that is invalid, which takes many times as long as a valid one: the beginning shows most such lists.
 */
function beginningOf(input: unknown) {
  if (Array.isArray(input) || !hasLongList(input)) return undefined
  return Object.fromEntries(
    entriesOf(input).map(([key, value]) => [key, isLong(value) ? value.slice(0, maxAtOnce) : value]),
  )
}

/** Whether checking the input takes noticeable time. */
export function hasLongList(input: unknown) {
  return entriesOf(input).some(([, value]) => isLong(value))
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > maxAtOnce
}

/** Whether PostgreSQL can store the texts in a value: it refuses NUL and lone surrogates. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed()
  if (Array.isArray(value)) return value.every(isStorable)
  return entriesOf(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

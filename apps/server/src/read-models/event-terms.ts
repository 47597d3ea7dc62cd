import sql, { join, type Sql } from 'sql-template-tag'
import { z } from 'zod'

/** The terms of a filter that names only doors, types and times; undefined fields mean no limit. */
export type EventTerms = { doors: string[] | undefined; types: string[] | undefined; time: Time | undefined }

/** Expressions of the first moment, and of the end, which is not included. */
export type Time = { from: Sql; until: Sql }

/** Undefined if the filter has other terms. The filter has already been validated. */
export function eventTerms(filter: unknown): EventTerms | undefined {
  const terms = termsOf(filter)
  if (!terms?.every(isCountable)) return undefined
  const of = (name: string) => terms.filter(({ field }) => field === name)
  return { doors: valuesIn(of('door')), types: valuesIn(of('type')), time: timeIn(of('occurredAt')) }
}

type Term = { field: string; op: string; value: unknown }

const record = z.record(z.string(), z.unknown())
const list = z.array(z.unknown())
const values = z.array(z.string())

/** The terms that must all apply; undefined for filters with `or` or `not`. */
function termsOf(filter: unknown): Term[] | undefined {
  const terms: Term[] = []
  for (const [field, value] of Object.entries(record.parse(filter))) {
    if (field === 'or' || field === 'not') return undefined
    const parts = field === 'and' ? list.parse(value).map(termsOf) : [comparisons(field, value)]
    for (const part of parts) {
      if (!part) return undefined
      terms.push(...part)
    }
  }
  return terms
}

function comparisons(field: string, value: unknown): Term[] {
  const parsed = record.safeParse(value)
  if (!parsed.success) return [{ field, op: 'eq', value }]
  return Object.entries(parsed.data).map(([op, operand]) => ({ field, op, value: operand }))
}

const timeOps = ['eq', 'gt', 'gte', 'lt', 'lte']

function isCountable({ field, op, value }: Term) {
  if (value === null) return false
  if (field === 'occurredAt') return timeOps.includes(op)
  return (field === 'door' || field === 'type') && (op === 'eq' || op === 'in')
}

/** The intersection of all terms. */
function valuesIn(terms: readonly Term[]) {
  const [first, ...others] = terms.map(({ field, op, value }) => {
    const texts = values.parse(op === 'in' ? value : [value])
    return field === 'door' ? texts.map((id) => id.toLowerCase()) : texts
  })
  return first?.filter((one) => others.every((other) => other.includes(one)))
}

function timeIn(terms: readonly Term[]): Time | undefined {
  if (terms.length === 0) return undefined
  const bounds = terms.map(boundsOf)
  const of = (end: keyof Time) => bounds.flatMap((bound) => bound[end] ?? [])
  return {
    from: sql`greatest(${join([sql`'-infinity'::timestamptz`, ...of('from')])})`,
    until: sql`least(${join([sql`'infinity'::timestamptz`, ...of('until')])})`,
  }
}

function boundsOf({ op, value }: Term): Partial<Time> {
  const at = sql`${value}::timestamptz`
  // Times are compared by microseconds.
  const behind = sql`${at} + interval '1 microsecond'`
  if (op === 'gt') return { from: behind }
  if (op === 'gte') return { from: at }
  if (op === 'lt') return { until: at }
  if (op === 'lte') return { until: behind }
  return { from: at, until: behind }
}

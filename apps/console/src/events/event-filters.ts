import type { Filter } from '@portcullis/contract/list-query'
import type { Event } from './why-telling.ts'

/** What stands in the address about the events that are asked for. Nothing about time means today. */
export const filterNames = ['time', 'outcome', 'site', 'kind', 'door', 'user', 'unit'] as const
export type FilterName = (typeof filterNames)[number]
export type FilterValues = Readonly<Partial<Record<string, string>>>

export type Span = { from?: string; until?: string }

/** The stretch of time that a value of the filter means, in the viewer's zone: `hour`, `week`, `all`, `{from}..{until}`; today. */
export function spanOf(value: string | undefined, now: Date): Span {
  if (value === 'all') return {}
  if (value === 'hour') return { from: new Date(now.getTime() - hourMs).toISOString() }
  if (value === 'week') return { from: midnight(now, -6) }
  return rangeOf(value) ?? { from: midnight(now, 0) }
}

/** The two ends of a range that somebody chose; nothing where the value is no range. */
export function rangeOf(value: string | undefined): { from: string; until: string } | undefined {
  const [from, until] = value?.split('..') ?? []
  if (!from || !until) return undefined
  const [fromMs, untilMs] = [Date.parse(from), Date.parse(until)]
  if (Number.isNaN(fromMs) || Number.isNaN(untilMs)) return undefined
  return { from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString() }
}

/** The question to the server. */
export function eventFilter(values: FilterValues, now: Date): Filter | undefined {
  const { from, until } = spanOf(values.time, now)
  const terms: Filter[] = exact(values).map(([field, value]) => ({ [field]: value }))
  if (from) terms.push({ occurredAt: { gte: from } })
  if (until) terms.push({ occurredAt: { lt: until } })
  const [only] = terms
  return terms.length > 1 ? { and: terms } : only
}

/** Whether an event that arrives belongs to the list: the same question, asked here. */
export function matches(event: Event, values: FilterValues, now: Date): boolean {
  const { from, until } = spanOf(values.time, now)
  const at = Date.parse(event.occurredAt)
  if (from && at < Date.parse(from)) return false
  if (until && at >= Date.parse(until)) return false
  return exact(values).every(([field, value]) => event[field] === value)
}

const hourMs = 3_600_000

const fields = {
  outcome: 'outcome',
  site: 'site',
  kind: 'category',
  door: 'door',
  user: 'user',
  unit: 'unit',
} as const satisfies Record<Exclude<FilterName, 'time'>, keyof Event>

function exact(values: FilterValues) {
  return filterNames.flatMap((name) => {
    const value = values[name]
    return name === 'time' || value === undefined ? [] : [[fields[name], value] as const]
  })
}

function midnight(now: Date, days: number) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString()
}

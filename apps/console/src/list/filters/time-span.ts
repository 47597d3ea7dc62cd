/** A time range: from its first moment up to, and without, its last; open where an end is missing. */
export type TimeSpan = { from?: string; until?: string }

/** Names of ranges that move with the present, as written in an address. */
export const pastSpans = ['1h', 'today', 'yesterday', '24h', '7d', '30d'] as const
export const futureSpans = ['past', 'today', 'next7d', 'next30d', 'next90d'] as const
export type NamedSpan = (typeof pastSpans)[number] | (typeof futureSpans)[number]

/** The range of a value, with days in the viewer's time zone: `today`, `7d`, `{from}..{until}`, `{from}..`. */
export function timeSpan(value: string, now: Date): TimeSpan | undefined {
  return isNamedSpan(value) ? named[value](now) : rangeOf(value)
}

export function isNamedSpan(value: string): value is NamedSpan {
  return Object.hasOwn(named, value)
}

/** The two ends of a selected range; undefined where the value is no range. */
export function rangeOf(value: string): TimeSpan | undefined {
  const [first = '', last = '', ...rest] = value.split('..')
  if (!value.includes('..') || rest.length > 0 || first === last) return undefined
  if (first === '') return endOf(last, (until) => ({ until }))
  if (last === '') return endOf(first, (from) => ({ from }))
  return endOf(first, (from) => endOf(last, (until) => (from < until ? { from, until } : undefined)))
}

function endOf(text: string, spanFrom: (moment: string) => TimeSpan | undefined): TimeSpan | undefined {
  const moment = momentOf(text)
  return moment === undefined ? undefined : spanFrom(moment)
}

/** A range as written in an address. */
export function rangeValue({ from = '', until = '' }: TimeSpan): string {
  return `${from}..${until}`
}

const hourMs = 3_600_000

const named: Record<NamedSpan, (now: Date) => TimeSpan> = {
  '1h': (now) => ({ from: ago(now, hourMs) }),
  '24h': (now) => ({ from: ago(now, 24 * hourMs) }),
  today: (now) => ({ from: midnight(now, 0), until: midnight(now, 1) }),
  yesterday: (now) => ({ from: midnight(now, -1), until: midnight(now, 0) }),
  '7d': (now) => ({ from: midnight(now, -6) }),
  '30d': (now) => ({ from: midnight(now, -29) }),
  past: (now) => ({ until: now.toISOString() }),
  next7d: (now) => ({ from: now.toISOString(), until: midnight(now, 8) }),
  next30d: (now) => ({ from: now.toISOString(), until: midnight(now, 31) }),
  next90d: (now) => ({ from: now.toISOString(), until: midnight(now, 91) }),
}

function ago(now: Date, ms: number) {
  return new Date(now.getTime() - ms).toISOString()
}

function midnight(now: Date, days: number) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString()
}

function momentOf(text: string) {
  if (!/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.test(text)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}

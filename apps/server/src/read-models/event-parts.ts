import sql, { join, raw, type Sql } from 'sql-template-tag'
import { belongsTo } from '../query/belongs-to.ts'
import type { EventTerms, Time } from './event-terms.ts'

export type Scope = Omit<EventTerms, 'time'> & { accounts: readonly number[] }

/**
 * A time range in parts: whole days, the whole hours around them where totals have their hours, and the rest at both ends,
 * which is counted from the events themselves.
 */
export function spansOf({ from, until }: Time, { doors }: Scope) {
  const finest = doors ? 'day' : 'hour'
  const [first, last] = [endOf(finest, from), beginOf(finest, until)]
  const firstDay = sql`least(${endOf('day', first)}, ${last})`
  const lastDay = sql`greatest(${beginOf('day', last)}, ${firstDay})`
  const firstEnd = sql`least(${first}, ${until})`
  return {
    days: [firstDay, lastDay],
    hours: doors
      ? []
      : ([
          [first, firstDay],
          [lastDay, last],
        ] as const),
    whole: [first, last],
    ends: [
      [from, firstEnd],
      [sql`greatest(${last}, ${firstEnd})`, until],
    ],
  } as const
}

/** The condition of totals: `each` type by itself, those of the scope, or all types in one. */
export function isTotalOf({ accounts, doors, types }: Scope, type: 'each' | 'of scope' = 'of scope') {
  const account = belongsTo({ account: raw('event_total_account') }, accounts)
  const door = doors ? isAmong('event_total_door', doors) : sql`event_total_door is null`
  if (types) return sql`${account} and ${door} and ${isAmong('event_total_type', types)}`
  return sql`${account} and ${door} and event_total_type ${type === 'each' ? sql`is not null` : sql`is null`}`
}

/** The same of the rows of a table of events or deltas. */
export function isIn({ accounts, doors, types }: Scope, table: 'event' | 'event_delta') {
  const conditions = [belongsTo({ account: raw(`${table}_account`) }, accounts)]
  if (doors) conditions.push(isAmong(`${table}_door`, doors))
  if (types) conditions.push(isAmong(`${table}_type`, types))
  return join(conditions, ' and ')
}

function isAmong(column: string, values: readonly string[]) {
  return sql`${raw(column)} = any(${values}${raw(column.endsWith('_door') ? '::uuid[]' : '::text[]')})`
}

export function isWithin(expression: string, [from, until]: readonly [Sql, Sql]) {
  return sql`${raw(expression)} >= ${from} and ${raw(expression)} < ${until}`
}

/** The day of UTC in which a moment lies. */
export function dayOf(moment: Sql) {
  return sql`(${moment} at time zone 'UTC')::date`
}

/** The start of the hour or day in UTC. The origin may be any midnight UTC. */
function beginOf(span: 'hour' | 'day', moment: Sql) {
  return sql`date_bin(${raw(`'1 ${span}'`)}, ${moment}, '2000-01-01Z'::timestamptz)`
}

/** The moment itself where it is the beginning of one. */
function endOf(span: 'hour' | 'day', moment: Sql) {
  return beginOf(span, sql`${moment} + ${raw(`interval '1 ${span}' - interval '1 microsecond'`)}`)
}

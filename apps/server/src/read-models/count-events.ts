import sql, { join, raw, type Sql } from 'sql-template-tag'
import { belongsTo } from '../collections/belongs-to.ts'
import { type EventTerms, eventTerms, type Time } from './event-terms.ts'

type Asked = { accounts: readonly number[]; filter: unknown }

/**
 * The query that tells how many events a filter finds without counting them: from the totals, the deltas that are not yet
 * folded into them, and the events of the hours that the filter cuts through. Undefined where no totals are kept for it.
 */
export function countEvents({ accounts, filter }: Asked): Sql | undefined {
  const terms = eventTerms(filter)
  if (!terms) return undefined
  const scope = { accounts, ...terms }
  const parts = terms.time
    ? partsOf(scope, terms.time)
    : [sql`${totals(scope)} and event_total_day is null`, deltas(scope)]
  return sql`select coalesce(sum(part), 0)::bigint from (${join(parts, ' union all ')}) parts (part)`
}

type Scope = Omit<EventTerms, 'time'> & { accounts: readonly number[] }

/** Whole days; around them whole hours, where totals have them; and the events of what is left at both ends. */
function partsOf(scope: Scope, { from, until }: Time) {
  const finest = scope.doors ? 'day' : 'hour'
  const [first, last] = [endOf(finest, from), beginOf(finest, until)]
  const firstDay = sql`least(${endOf('day', first)}, ${last})`
  const lastDay = sql`greatest(${beginOf('day', last)}, ${firstDay})`
  const firstEnd = sql`least(${first}, ${until})`
  const lastBegin = sql`greatest(${last}, ${firstEnd})`
  const hours = scope.doors ? [] : [hoursOf(scope, [first, firstDay]), hoursOf(scope, [lastDay, last])]
  return [
    sql`${totals(scope)} and ${isWithin('event_total_day', [dayOf(firstDay), dayOf(lastDay)])}`,
    ...hours,
    sql`${deltas(scope)} and ${isWithin('event_delta_hour', [first, last])}`,
    sql`${events(scope)} and ${isWithin('event_occurred_at', [from, firstEnd])}`,
    sql`${events(scope)} and ${isWithin('event_occurred_at', [lastBegin, until])}`,
  ]
}

function totals(scope: Scope) {
  return sql`select sum(event_total_count) from event_total where ${isTotalOf(scope)}`
}

/** The hours of one day from one moment until another. */
function hoursOf(scope: Scope, [from, until]: readonly [Sql, Sql]) {
  const place = (moment: Sql) => sql`extract(hour from (${moment}) at time zone 'UTC')::int + 1`
  return sql`select sum(hour)
      from event_total, unnest(event_total_hours[${place(from)}:${place(sql`${until} - interval '1 hour'`)}]) hour
     where ${isTotalOf(scope)} and event_total_day = ${dayOf(from)} and ${from} < ${until}`
}

function isTotalOf({ accounts, doors, types }: Scope) {
  const door = doors ? isAmong('event_total_door', { values: doors, kind: 'uuid' }) : sql`event_total_door is null`
  const type = types ? isAmong('event_total_type', { values: types, kind: 'text' }) : sql`event_total_type is null`
  return sql`${belongsTo({ account: sql`event_total_account` }, accounts)} and ${door} and ${type}`
}

function deltas(scope: Scope) {
  return sql`select sum(event_delta_count) from event_delta where ${isIn(scope, 'event_delta')}`
}

function events(scope: Scope) {
  return sql`select count(*) from event where ${isIn(scope, 'event')}`
}

function isIn({ accounts, doors, types }: Scope, table: string) {
  const conditions = [belongsTo({ account: raw(`${table}_account`) }, accounts)]
  if (doors) conditions.push(isAmong(`${table}_door`, { values: doors, kind: 'uuid' }))
  if (types) conditions.push(isAmong(`${table}_type`, { values: types, kind: 'text' }))
  return join(conditions, ' and ')
}

function isAmong(column: string, { values, kind }: { values: readonly string[]; kind: 'uuid' | 'text' }) {
  return sql`${raw(column)} = any(${values}::${raw(kind)}[])`
}

function isWithin(column: string, [from, until]: readonly [Sql, Sql]) {
  return sql`${raw(column)} >= ${from} and ${raw(column)} < ${until}`
}

/** Hours and days of UTC; the grid begins anywhere. */
function beginOf(span: 'hour' | 'day', moment: Sql) {
  return sql`date_bin(${raw(`'1 ${span}'`)}, ${moment}, '2000-01-01Z'::timestamptz)`
}

function dayOf(moment: Sql) {
  return sql`(${moment} at time zone 'UTC')::date`
}

/** The moment itself where it is the beginning of one. */
function endOf(span: 'hour' | 'day', moment: Sql) {
  return beginOf(span, sql`${moment} + ${raw(`interval '1 ${span}' - interval '1 microsecond'`)}`)
}

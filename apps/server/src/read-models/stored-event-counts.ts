import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { countEvents } from './count-events.ts'
import { dayOf, isIn, isTotalOf, isWithin, type Scope, spansOf } from './event-parts.ts'
import { eventTerms, type Time } from './event-terms.ts'

/** Events are counted from stored totals where possible; indexes find the newest events by the fields of `foundBy`. */
export const eventsHooks: CollectionHooks = {
  foundBy: [['outcome'], ['user'], ['door', 'type']],
  totalOf: countEvents,
  countsOf: storedEventCounts,
}

type StoredEventCountsInput = {
  accounts: readonly number[]
  filter: unknown
  by: readonly { field: string; bucket?: string | undefined }[]
  timeZone: string
}

/**
 * Events already counted, instead of the events themselves: rows of a type, an hour and a `row_count`. For counts
 * by type or by stretches of time made of whole hours of UTC; undefined for everything else.
 */
export function storedEventCounts({ accounts, filter, by, timeZone }: StoredEventCountsInput): Sql | undefined {
  const terms = eventTerms(filter)
  const isCountable = by.every(
    ({ field, bucket }) => field === 'type' || (field === 'occurredAt' && bucket !== undefined),
  )
  if (!terms || !isCountable) return undefined
  const isByTime = by.some(({ field }) => field === 'occurredAt')
  if (isByTime && (terms.doors || !isOnTheHour(timeZone))) return undefined
  const scope = { accounts, ...terms }
  const parts =
    terms.time || isByTime ? partsOf(scope, terms.time ?? always) : [totalsOf(scope, sql`is null`), deltasOf(scope)]
  return sql`(select at as event_occurred_at, type as event_type, row_count
    from (${join(parts, ' union all ')}) counted (at, type, row_count) where row_count <> 0) event`
}

const always: Time = { from: sql`'-infinity'::timestamptz`, until: sql`'infinity'::timestamptz` }

function partsOf(scope: Scope, time: Time) {
  const { days, whole, ends } = spansOf(time, scope)
  const [firstDay, lastDay] = [dayOf(days[0]), dayOf(days[1])]
  return [
    scope.doors ? totalsOf(scope, sql`>= ${firstDay} and event_total_day < ${lastDay}`) : hoursOf(scope, whole),
    sql`${deltasOf(scope)} and ${isWithin('event_delta_hour', whole)}`,
    ...ends.map(
      (end) =>
        sql`select event_occurred_at, event_type, 1 from event where ${isIn(scope, 'event')} and ${isWithin('event_occurred_at', end)}`,
    ),
  ]
}

function totalsOf(scope: Scope, isDay: Sql) {
  return sql`select null::timestamptz, event_total_type, event_total_count from event_total
    where ${isTotalOf(scope, 'each')} and event_total_day ${isDay}`
}

function deltasOf(scope: Scope) {
  return sql`select event_delta_hour, event_delta_type, event_delta_count from event_delta where ${isIn(scope, 'event_delta')}`
}

function hoursOf(scope: Scope, [first, last]: readonly [Sql, Sql]) {
  const begin = `(event_total_day::timestamp at time zone 'UTC' + (place - 1) * interval '1 hour')`
  return sql`select ${raw(begin)}, event_total_type, hour
    from event_total, unnest(event_total_hours) with ordinality counted (hour, place)
   where ${isTotalOf(scope, 'each')} and event_total_day >= ${dayOf(first)} and event_total_day <= ${dayOf(last)}
     and ${isWithin(begin, [first, last])}`
}

const wholeHourZones = new Map<string, boolean>()

/** Whether the zone's hours have started on UTC hours since controllers began to keep time. */
function isOnTheHour(timeZone: string) {
  const cached = wholeHourZones.get(timeZone) ?? hasWholeHours(timeZone)
  wholeHourZones.set(timeZone, cached)
  return cached
}

const [begun, ended] = [Temporal.Instant.from('1970-01-01T00:00Z'), Temporal.Instant.from('2100-01-01T00:00Z')]

function hasWholeHours(timeZone: string) {
  let moment: Temporal.ZonedDateTime | null = begun.toZonedDateTimeISO(timeZone)
  while (moment && Temporal.Instant.compare(moment.toInstant(), ended) < 0) {
    if (moment.offsetNanoseconds % 3_600_000_000_000 !== 0) return false
    moment = moment.getTimeZoneTransition('next')
  }
  return true
}

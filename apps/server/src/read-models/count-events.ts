import sql, { join, type Sql } from 'sql-template-tag'
import { dayOf, isIn, isTotalOf, isWithin, type Scope, spansOf } from './event-parts.ts'
import { eventTerms, type Time } from './event-terms.ts'

type CountEventsInput = { accounts: readonly number[]; filter: unknown }

/**
 * The query that returns how many events a filter finds without counting them: from the totals, the deltas not yet
 * folded into them, and the events at both ends of its time range. Undefined where no totals are stored for it.
 */
export function countEvents({ accounts, filter }: CountEventsInput): Sql | undefined {
  const terms = eventTerms(filter)
  if (!terms) return undefined
  const scope = { accounts, ...terms }
  const parts = terms.time
    ? partsOf(scope, terms.time)
    : [sql`${totals(scope)} and event_total_day is null`, deltas(scope)]
  return sql`select coalesce(sum(part), 0)::bigint from (${join(parts, ' union all ')}) parts (part)`
}

function partsOf(scope: Scope, time: Time) {
  const { days, hours, whole, ends } = spansOf(time, scope)
  return [
    sql`${totals(scope)} and ${isWithin('event_total_day', [dayOf(days[0]), dayOf(days[1])])}`,
    ...hours.map((span) => hoursOf(scope, span)),
    sql`${deltas(scope)} and ${isWithin('event_delta_hour', whole)}`,
    ...ends.map(
      (end) => sql`select count(*) from event where ${isIn(scope, 'event')} and ${isWithin('event_occurred_at', end)}`,
    ),
  ]
}

function totals(scope: Scope) {
  return sql`select sum(event_total_count) from event_total where ${isTotalOf(scope)}`
}

function deltas(scope: Scope) {
  return sql`select sum(event_delta_count) from event_delta where ${isIn(scope, 'event_delta')}`
}

/** The hours of one day from one moment until another. */
function hoursOf(scope: Scope, [from, until]: readonly [Sql, Sql]) {
  const place = (moment: Sql) => sql`extract(hour from (${moment}) at time zone 'UTC')::int + 1`
  return sql`select sum(hour)
      from event_total, unnest(event_total_hours[${place(from)}:${place(sql`${until} - interval '1 hour'`)}]) hour
     where ${isTotalOf(scope)} and event_total_day = ${dayOf(from)} and ${from} < ${until}`
}

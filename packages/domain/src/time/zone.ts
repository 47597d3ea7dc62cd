/** The offsets of one time zone over a period, so that a small controller needs no zone database. */
export type ZoneTable = {
  readonly initialOffsetMinutes: number
  readonly transitions: readonly ZoneTransition[]
}

/** From `at` (epoch milliseconds) on, local time is UTC plus `offsetMinutes`. */
export type ZoneTransition = { readonly at: number; readonly offsetMinutes: number }

/** Days since 1970-01-01 and milliseconds since midnight, in local time. */
export type LocalTime = { readonly epochDay: number; readonly msOfDay: number }

export type Span = { readonly from: number; readonly until: number }

export const dayMs = 86_400_000

const minuteMs = 60_000

/**
 * The table of an IANA zone between two instants (epoch milliseconds). After `until` the last offset continues.
 * Throws a RangeError for a zone that does not exist.
 */
export function zoneTransitions({ timeZone, from, until }: Span & { timeZone: string }): ZoneTable {
  let moment = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone)
  const initialOffsetMinutes = offsetMinutesOf(moment)
  const transitions: ZoneTransition[] = []
  for (;;) {
    const next = moment.getTimeZoneTransition('next')
    if (next === null || next.epochMilliseconds > until) return { initialOffsetMinutes, transitions }
    transitions.push({ at: next.epochMilliseconds, offsetMinutes: offsetMinutesOf(next) })
    moment = next
  }
}

export function localTime(zone: ZoneTable, at: number): LocalTime {
  const local = at + offsetMs(offsetMinutesAt(zone, at))
  const epochDay = Math.floor(local / dayMs)
  return { epochDay, msOfDay: local - epochDay * dayMs }
}

/** The end of the local day of an instant, or an earlier change of the offset. */
export function endOfLocalDay(zone: ZoneTable, at: number): number {
  const midnight = at + dayMs - localTime(zone, at).msOfDay
  const change = zone.transitions.find((transition) => transition.at > at)
  return change === undefined ? midnight : Math.min(midnight, change.at)
}

/**
 * The spans of instants that a span of local time covers (milliseconds since 1970-01-01T00:00 local). A span inside a
 * gap has none, one inside an overlap has two.
 */
export function spansOfLocal(zone: ZoneTable, local: Span): Span[] {
  const spans: Span[] = []
  let from = Number.NEGATIVE_INFINITY
  let offset = offsetMs(zone.initialOffsetMinutes)
  for (const transition of zone.transitions) {
    pushOverlap(spans, { from, until: transition.at }, { from: local.from - offset, until: local.until - offset })
    from = transition.at
    offset = offsetMs(transition.offsetMinutes)
  }
  pushOverlap(
    spans,
    { from, until: Number.POSITIVE_INFINITY },
    { from: local.from - offset, until: local.until - offset },
  )
  return spans
}

/** `YYYY-MM-DD` of a day counted from 1970-01-01. */
export function dateOfEpochDay(epochDay: number): string {
  return new Date(epochDay * dayMs).toISOString().slice(0, 10)
}

function offsetMinutesAt(zone: ZoneTable, at: number): number {
  let low = 0
  let high = zone.transitions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const transition = zone.transitions[middle]
    if (transition !== undefined && transition.at <= at) low = middle + 1
    else high = middle
  }
  return zone.transitions[low - 1]?.offsetMinutes ?? zone.initialOffsetMinutes
}

function pushOverlap(spans: Span[], a: Span, b: Span): void {
  const from = Math.max(a.from, b.from)
  const until = Math.min(a.until, b.until)
  if (from < until) spans.push({ from, until })
}

function offsetMinutesOf(moment: Temporal.ZonedDateTime): number {
  return moment.offsetNanoseconds / 60_000_000_000
}

// Until about 1972 zones had offsets with seconds, so the product may not be a whole number.
function offsetMs(offsetMinutes: number): number {
  return Math.round(offsetMinutes * minuteMs)
}

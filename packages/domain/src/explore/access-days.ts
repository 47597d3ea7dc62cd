import type { AccessFacts, SiteCalendar } from '../decision/access-facts.ts'
import { accessTimes } from './access-times.ts'
import { type HolidayDay, hoursOfDay } from '../time/schedule.ts'
import { clippedSpans } from '../time/spans.ts'
import { dateOfEpochDay, dayMs, localTime, type Span, spansOfLocal, type ZoneTable } from '../time/zone.ts'

/** A civil day of the door's site; instants are epoch milliseconds. */
export type AccessDay = Span & {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** The periods in which the user can open the door on that day. */
  readonly open: readonly Span[]
  /** The holidays that determine the hours of a matching rule. */
  readonly holidays: readonly HolidayDay[]
}

/**
 * The days from that of the facts on, each with the hours in which access is granted; in UTC if the zone is unknown.
 */
export function accessDays(facts: AccessFacts, count: number): AccessDay[] {
  const zone = facts.calendar?.zone ?? utc
  const first = localTime(zone, facts.at).epochDay
  const days = Array.from({ length: count }, (_, index) => ({ epochDay: first + index, ...dayIn(zone, first + index) }))
  const [from = 0, until = 0] = [days[0]?.from, days.at(-1)?.until]
  const times = accessTimes(facts, { from, until })
  return days.map(({ epochDay, ...day }) => ({
    date: dateOfEpochDay(epochDay),
    ...day,
    open: clippedSpans(times, day),
    holidays: holidaysOn(facts, epochDay),
  }))
}

const utc: ZoneTable = { initialOffsetMinutes: 0, transitions: [] }

/** From its first instant to the first of the next day; 23 or 25 hours on the days when the clocks change. */
function dayIn(zone: ZoneTable, epochDay: number): Span {
  const spans = spansOfLocal(zone, { from: epochDay * dayMs, until: (epochDay + 1) * dayMs })
  return { from: spans[0]?.from ?? epochDay * dayMs, until: spans.at(-1)?.until ?? (epochDay + 1) * dayMs }
}

function holidaysOn({ rules, calendar }: AccessFacts, epochDay: number): HolidayDay[] {
  const found = new Map<string, HolidayDay>()
  for (const { schedule } of [...rules.allow, ...rules.deny]) {
    const holiday = schedule?.table && calendar && governingHoliday({ table: schedule.table, calendar, epochDay })
    if (holiday) found.set(holiday._id, holiday)
  }
  return [...found.values()]
}

type HolidayLookup = { table: Parameters<typeof hoursOfDay>[0]['schedule']; calendar: SiteCalendar; epochDay: number }

function governingHoliday({ table, calendar, epochDay }: HolidayLookup) {
  return hoursOfDay({ schedule: table, ...calendar }, epochDay).governing?.holiday
}

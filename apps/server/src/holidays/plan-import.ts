import { isDeepStrictEqual } from 'node:util'
import {
  foundHoliday,
  type FoundHoliday,
  type ImportRow,
  type Rejection,
} from '@portcullis/contract/calls/import-holidays'
import type { HolidayDates, HolidayKind } from '@portcullis/domain/policy'
import type { CalendarEvent } from './read-calendar.ts'

export type StoredHoliday = FoundHoliday & { _id: string }
type Plan = Omit<ImportRow, 'entry'>
type Options = { stored: readonly StoredHoliday[]; replaceDates: boolean }

/** What becomes of each holiday, compared with those of the calendar: the same name is the same holiday. */
export function planImport(found: readonly (FoundHoliday | Rejected)[], { stored, replaceDates }: Options): Plan[] {
  const byName = new Map(stored.toReversed().map((holiday) => [holiday.name, holiday]))
  return found.map((each) => {
    if ('rejection' in each) return rejected(each)
    const before = byName.get(each.name)
    const dates = before && !replaceDates ? joined(before.dates, each.dates) : inOrder(each.dates)
    const holiday = { ...each, dates }
    if (!foundHoliday.safeParse(holiday).success) return rejected({ name: each.name, rejection: 'too_many_dates' })
    return { name: each.name, holiday, reason: null, _id: before?._id ?? null, ...changesOf(before, holiday) }
  })
}

export type Rejected = { name: string; rejection: Rejection }

function rejected({ name, rejection }: Rejected): Plan {
  return { name, state: 'rejected', holiday: null, reason: rejection, ...noChanges, _id: null }
}

const noChanges = { added: [], removed: [], kindBefore: null }

function changesOf(before: StoredHoliday | undefined, { kind, dates }: FoundHoliday) {
  if (before === undefined) return { ...noChanges, state: 'new' as const, added: dates }
  const added = without(dates, before.dates)
  const removed = without(before.dates, dates)
  const kindBefore = before.kind === kind ? null : before.kind
  const isChanged = added.length > 0 || removed.length > 0 || kindBefore !== null
  return { state: isChanged ? ('changed' as const) : ('unchanged' as const), added, removed, kindBefore }
}

function without(dates: readonly HolidayDates[], others: readonly HolidayDates[]) {
  return inOrder(dates.filter((each) => !others.some((other) => isDeepStrictEqual(plain(other), plain(each)))))
}

/** All stored dates, and those found that they do not include. */
function joined(before: readonly HolidayDates[], found: readonly HolidayDates[]) {
  const isIncluded = (each: HolidayDates) =>
    before.some((other) => other.recurring && other.from <= each.from && dayOfYear(other) === dayOfYear(each))
  return inOrder([...before, ...found.filter((each) => !isIncluded(each))])
}

function dayOfYear({ from, until }: HolidayDates) {
  return `${from.slice(5)} ${until.slice(5)}`
}

/** Each once, by its first day. */
function inOrder(dates: readonly HolidayDates[]): HolidayDates[] {
  const once = new Map(dates.map(plain).map((date) => [JSON.stringify(date), date]))
  return [...once].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, date]) => date)
}

function plain({ from, until, recurring }: HolidayDates): HolidayDates {
  return { from, until, recurring }
}

/** Dates of events with one name, also those that are repeated. */
const mostJoined = 500

/** The holidays of a file: events with the same name are one, and events that are no holidays stay by themselves. */
export function holidaysOf(events: readonly CalendarEvent[], kind: HolidayKind): (FoundHoliday | Rejected)[] {
  const byName = new Map<string, FoundHoliday>()
  const refused: Rejected[] = []
  for (const event of events) {
    if (event.rejection !== undefined) {
      refused.push({ name: event.name, rejection: event.rejection })
      continue
    }
    const { name, dates } = event
    const parsed = foundHoliday.safeParse({ name, kind: event.kind ?? kind, dates })
    if (!parsed.success) {
      refused.push({ name, rejection: 'invalid' })
      continue
    }
    const earlier = byName.get(name)
    if (!earlier) byName.set(name, parsed.data)
    else if (earlier.dates.length < mostJoined) byName.set(name, { ...earlier, dates: [...earlier.dates, ...dates] })
  }
  const joined = [...byName.values()].map((holiday) =>
    holiday.dates.length < mostJoined ? holiday : ({ name: holiday.name, rejection: 'too_many_dates' } as const),
  )
  return [...joined, ...refused]
}

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
type Plan = Pick<ImportRow, 'name' | 'state' | 'holiday' | 'reason' | '_id'>

/** What becomes of each holiday, compared with those of the calendar: the same name is the same holiday. */
export function planImport(found: readonly (FoundHoliday | Rejected)[], stored: readonly StoredHoliday[]): Plan[] {
  const byName = new Map(stored.toReversed().map((holiday) => [holiday.name, holiday]))
  return found.map((each) => {
    if ('rejection' in each) return rejected(each)
    const before = byName.get(each.name)
    const holiday = { ...each, dates: before ? mergedDates(before.dates, each.dates) : inOrder(each.dates) }
    if (!foundHoliday.safeParse(holiday).success) return rejected({ name: each.name, rejection: 'too_many_dates' })
    const state = before === undefined ? 'new' : stateOf(before, holiday)
    return { name: each.name, state, holiday, reason: null, _id: before?._id ?? null }
  })
}

export type Rejected = { name: string; rejection: Rejection }

function rejected({ name, rejection }: Rejected): Plan {
  return { name, state: 'rejected', holiday: null, reason: rejection, _id: null }
}

function stateOf({ kind, dates }: StoredHoliday, after: FoundHoliday) {
  return kind === after.kind && isDeepStrictEqual(inOrder(dates), after.dates) ? 'unchanged' : 'changed'
}

/** New dates replace those of the same years. Dates of every year stay, unless the new ones recur themselves. */
function mergedDates(before: readonly HolidayDates[], found: readonly HolidayDates[]) {
  if (found.some(({ recurring }) => recurring)) return inOrder(found)
  const years = new Set(found.map(yearOf))
  const kept = before.filter((each) => each.recurring || !years.has(yearOf(each)))
  const isKept = (each: HolidayDates) => kept.some((other) => other.recurring && dayOfYear(other) === dayOfYear(each))
  return inOrder([...kept, ...found.filter((each) => !isKept(each))])
}

function yearOf({ from }: HolidayDates) {
  return from.slice(0, 4)
}

function dayOfYear({ from, until }: HolidayDates) {
  return `${from.slice(5)} ${until.slice(5)}`
}

/** Each once, by its first day. */
function inOrder(dates: readonly HolidayDates[]): HolidayDates[] {
  const each = dates.map(({ from, until, recurring }) => ({ from, until, recurring }))
  const once = new Map(each.map((date) => [JSON.stringify(date), date]))
  return [...once].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, date]) => date)
}

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
    byName.set(name, earlier ? { ...earlier, dates: [...earlier.dates, ...dates] } : parsed.data)
  }
  return [...byName.values(), ...refused]
}

import type { Holiday, HolidayDates } from '../policy.ts'
import type { HolidayDay, HolidayDays } from './schedule.ts'
import { dateOfEpochDay, dayMs } from './zone.ts'

/** Days counted from 1970-01-01; `until` is not included. */
export type DayRange = { readonly fromDay: number; readonly untilDay: number }

/** The days of holidays within a range of civil days, for any order of the input. */
export function holidayDays({ holidays, fromDay, untilDay }: DayRange & { holidays: readonly Holiday[] }): HolidayDays {
  const days = new Map<number, Map<string, HolidayDay>>()
  for (const { _id, kind, name, dates } of holidays) {
    for (const day of daysOf(dates, { fromDay, untilDay })) {
      const onThatDay = days.get(day) ?? new Map<string, HolidayDay>()
      days.set(day, onThatDay.set(_id, { _id, kind, name }))
    }
  }
  const inOrder = [...days].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    inOrder.map(([day, found]) => [dateOfEpochDay(day), [...found.values()].sort((a, b) => (a._id < b._id ? -1 : 1))]),
  )
}

/** Each day once: ranges that overlap cost no more than the days that they cover. */
function daysOf(dates: readonly HolidayDates[], { fromDay, untilDay }: DayRange): number[] {
  const ranges = dates.flatMap((range) => rangesOf(range, { fromDay, untilDay })).sort((a, b) => a.fromDay - b.fromDay)
  const days: number[] = []
  let next = fromDay
  for (const range of ranges) {
    const end = Math.min(range.untilDay, untilDay)
    for (next = Math.max(next, range.fromDay); next < end; next += 1) days.push(next)
  }
  return days
}

/** The range in each year in which it lies, at least partly, within the bounds. */
function rangesOf(dates: HolidayDates, bounds: DayRange): DayRange[] {
  if (!dates.recurring) return [{ fromDay: epochDayOf(dates.from), untilDay: epochDayOf(dates.until) + 1 }]
  const firstYear = yearOf(dates.from)
  const firstRepeat = Math.max(0, yearOf(dateOfEpochDay(bounds.fromDay)) - yearOf(dates.until))
  const lastRepeat = yearOf(dateOfEpochDay(bounds.untilDay)) - firstYear
  const ranges: DayRange[] = []
  for (let years = firstRepeat; years <= lastRepeat; years += 1) {
    ranges.push({ fromDay: firstDayAfter(dates.from, years), untilDay: lastDayAfter(dates.until, years) + 1 })
  }
  return ranges
}

// In a year without 29 February, a range that starts on it starts on 1 March, one that ends on it ends on 28 February,
// and that day alone is left out.
function firstDayAfter(date: string, years: number): number {
  const [year, month, day] = partsOf(date)
  return Date.UTC(year + years, month - 1, day) / dayMs
}

function lastDayAfter(date: string, years: number): number {
  const [year, month, day] = partsOf(date)
  const lastOfMonth = new Date(Date.UTC(year + years, month, 0)).getUTCDate()
  return Date.UTC(year + years, month - 1, Math.min(day, lastOfMonth)) / dayMs
}

function epochDayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs
}

function yearOf(date: string): number {
  return partsOf(date)[0]
}

function partsOf(date: string): readonly [year: number, month: number, day: number] {
  return [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))]
}

import { holidayDays } from '@portcullis/domain/time/holiday-days'
import type { Holiday, Schedule } from '@portcullis/domain/policy'
import { hoursOfDay } from '@portcullis/domain/time/schedule'
import { scheduleTable } from '@portcullis/domain/time/schedule-table'
import { dateOfEpochDay } from '@portcullis/domain/time/zone'
import { type ClockChange, clockChanges } from './clock-changes.ts'

const count = 14

export type NextDay = {
  /** `YYYY-MM-DD` */
  date: string
  /** Minutes since midnight. */
  open: readonly { from: number; until: number }[]
  /** The holiday whose hours apply on that day. */
  holiday: string | undefined
  /** Where the clocks change on that day. */
  change: ClockChange | undefined
}

type NextDaysInput = { schedule: Schedule; holidays: readonly Holiday[]; timeZone: string; today: string }

/** The hours of a schedule on the next 14 civil days of a site with these holidays; undefined while it is invalid. */
export function nextDays({ schedule, holidays, timeZone, today }: NextDaysInput): NextDay[] {
  const table = scheduleTable(schedule)
  if (!table) return []
  const first = Date.parse(`${today}T00:00:00Z`) / 86_400_000
  const days = holidayDays({ holidays, fromDay: first, untilDay: first + count })
  const changes = clockChanges({ timeZone, fromDay: first, untilDay: first + count })
  return Array.from({ length: count }, (_, index) => {
    const { windows, governing } = hoursOfDay(
      { schedule: table, holidays: days, zone: { initialOffsetMinutes: 0, transitions: [] } },
      first + index,
    )
    const date = dateOfEpochDay(first + index)
    const change = changes.get(date)
    return { date, open: withoutSkipped(windows, change), holiday: governing?.holiday.name, change }
  })
}

/** Hours that a clock change skips are never open. */
function withoutSkipped(windows: NextDay['open'], change: ClockChange | undefined) {
  if (change?.kind !== 'skipped') return windows
  return windows.flatMap(({ from, until }) =>
    [
      { from, until: Math.min(until, change.from) },
      { from: Math.max(from, change.until), until },
    ].filter((rest) => rest.from < rest.until),
  )
}

/** The civil day at a site: `2026-11-20`. */
export function todayIn(timeZone: string, now: Date) {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

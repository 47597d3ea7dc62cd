import { holidayDays } from '@portcullis/domain/time/holiday-days'
import type { Holiday, Schedule } from '@portcullis/domain/policy'
import { hoursOfDay } from '@portcullis/domain/time/schedule'
import { scheduleTable } from '@portcullis/domain/time/schedule-table'
import { dateOfEpochDay } from '@portcullis/domain/time/zone'

const count = 14

export type NextDay = {
  /** `YYYY-MM-DD` */
  date: string
  /** Minutes since midnight. */
  open: readonly { from: number; until: number }[]
  /** The holiday whose hours apply on that day. */
  holiday: string | undefined
}

type NextDaysInput = { schedule: Schedule; holidays: readonly Holiday[]; today: string }

/** The hours of a schedule on the next 14 civil days of a site with these holidays; undefined while it is invalid. */
export function nextDays({ schedule, holidays, today }: NextDaysInput): NextDay[] {
  const table = scheduleTable(schedule)
  if (!table) return []
  const first = Date.parse(`${today}T00:00:00Z`) / 86_400_000
  const days = holidayDays({ holidays, fromDay: first, untilDay: first + count })
  return Array.from({ length: count }, (_, index) => {
    const { windows, governing } = hoursOfDay(
      { schedule: table, holidays: days, zone: { initialOffsetMinutes: 0, transitions: [] } },
      first + index,
    )
    return { date: dateOfEpochDay(first + index), open: windows, holiday: governing?.holiday.name }
  })
}

/** The civil day at a site: `2026-11-20`. */
export function todayIn(timeZone: string, now: Date) {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

import type { HolidayHours, HolidayKind, Hours, Schedule } from '../policy.ts'

/** A schedule in minutes since midnight, ready to be evaluated on a controller. */
export type ScheduleTable = {
  readonly windows: readonly DayWindow[]
  readonly holidayHours: Readonly<Record<HolidayKind, HolidayHoursTable>>
}

/** `until` above 1440 reaches into the next day. */
export type DayWindow = MinuteWindow & { readonly day: number }
export type MinuteWindow = { readonly from: number; readonly until: number }
export type HolidayHoursTable = 'closed' | 'asUsual' | readonly MinuteWindow[]

/** Null if a window is invalid: the schedule then counts as missing, so it grants nothing and ends no deny. */
export function scheduleTable(schedule: Schedule): ScheduleTable | null {
  const windows: DayWindow[] = []
  for (const window of schedule.windows) {
    const minutes = minutesOf(window)
    if (minutes === null || !window.days.every(isWeekday)) return null
    for (const day of new Set(window.days)) windows.push({ day, ...minutes })
  }
  const publicHours = hoursTable(schedule.holidayHours.public)
  const company = hoursTable(schedule.holidayHours.company)
  const special = hoursTable(schedule.holidayHours.special)
  if (publicHours === null || company === null || special === null) return null
  return {
    windows: windows.sort((a, b) => a.day - b.day || byStart(a, b)),
    holidayHours: { public: publicHours, company, special },
  }
}

/** Own hours without a window mean closed. */
function hoursTable(hours: HolidayHours): HolidayHoursTable | null {
  if (typeof hours === 'string') return hours
  const windows: MinuteWindow[] = []
  for (const window of hours) {
    const minutes = minutesOf(window)
    if (minutes === null) return null
    windows.push(minutes)
  }
  return windows.length === 0 ? 'closed' : windows.sort(byStart)
}

function minutesOf({ start, end }: Hours): MinuteWindow | null {
  const from = minuteOfDay(start)
  const until = minuteOfDay(end)
  if (from === null || until === null || from === minutesADay) return null
  return { from, until: until <= from ? until + minutesADay : until }
}

const minutesADay = 1440

function minuteOfDay(text: string): number | null {
  if (text === '24:00') return minutesADay
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match === null ? null : Number(match[1]) * 60 + Number(match[2])
}

function isWeekday(day: number): boolean {
  return Number.isInteger(day) && day >= 1 && day <= 7
}

function byStart(a: MinuteWindow, b: MinuteWindow): number {
  return a.from - b.from || a.until - b.until
}

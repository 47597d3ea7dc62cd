import { z } from 'zod'
import type { Recur } from './yearly-days.ts'

/** `day`: since 1970, on the clock of the event. `seconds`: of that day; 0 for a date. */
export type Moment = { day: number; seconds: number; isDate: boolean; isUtc: boolean }

const dayMs = 86_400_000
const secondsOfDay = 86_400

/** A date or a time as the parser writes it; undefined for other values and for days that do not exist. */
export function momentOf(value: unknown): Moment | undefined {
  if (typeof value !== 'string') return undefined
  const [, date = '', hours, minutes, seconds, utc] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d):(\d\d):(\d\d)(Z?))?$/.exec(value) ?? []
  const day = dayNumberOf(date)
  if (Number.isNaN(day)) return undefined
  const time = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
  return time < secondsOfDay ? { day, seconds: time, isDate: hours === undefined, isUtc: utc === 'Z' } : undefined
}

/** Days since 1970; not a number for a day that does not exist, such as 30 February. */
export function dayNumberOf(date: string) {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date) ? ms / dayMs : Number.NaN
}

/** More than any holiday has: longer durations end there. */
const maxDays = 366 * 300

/** The end of an event by its duration, such as `P2D`; undefined without one. */
export function endOf(start: Moment, duration: unknown): Moment | undefined {
  if (typeof duration !== 'string') return undefined
  const parts = /^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration)
  if (parts === null) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0))
  const time = start.seconds + hours * 3_600 + minutes * 60 + seconds
  const length = weeks * 7 + days + Math.floor(time / secondsOfDay)
  return { ...start, day: start.day + Math.min(length, maxDays), seconds: time % secondsOfDay }
}

/** The day that begins at a time, on the clock of the event; times in UTC are on the clock of the file's time zone. */
export function onWallClock({ day, seconds, isDate, isUtc }: Moment, zone: string): number | undefined {
  if (isDate) return day
  if (!isUtc) return seconds === 0 ? day : undefined
  try {
    const ms = day * dayMs + seconds * 1_000
    const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone || 'UTC')
    if (local.hour + local.minute + local.second !== 0) return undefined
    return Date.UTC(local.year, local.month - 1, local.day) / dayMs
  } catch {
    return undefined
  }
}

const recur = z.looseObject({
  freq: z.string().default(''),
  interval: z.int().positive().default(1),
  count: z.int().positive().nullable().default(null),
  until: z.string().nullable().default(null),
})

/** A recurrence; undefined for values that are none. */
export function recurOf(value: unknown): Recur | undefined {
  const { data } = recur.safeParse(value)
  if (data === undefined) return undefined
  const { freq, interval, count, until, ...others } = data
  const end = until === null ? null : momentOf(until)
  if (end === undefined) return undefined
  const parts: Record<string, readonly unknown[]> = {}
  for (const [name, part] of Object.entries(others))
    if (name.startsWith('by')) parts[name.toUpperCase()] = Array.isArray(part) ? part : [part]
  return { freq, interval, count, until: end && dayOf(end.day), parts }
}

/** The civil day of a number of days since 1970. */
export function dayOf(day: number) {
  const date = new Date(day * dayMs)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

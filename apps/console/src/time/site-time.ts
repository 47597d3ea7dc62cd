import { text } from '../text/text.ts'
import { locale } from '../text/language.ts'
import { type DayHalf, isTime } from './clock-of.ts'

// Times in the sentences about an event: on the wall clock of the site, because its schedules use it.

/** `18:42:07` */
export function clock(iso: string, timeZone: string): string {
  return format(iso, { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' })
}

/** `18:42` */
export function clockMinutes(iso: string, timeZone: string): string {
  return format(iso, { timeZone, hour: '2-digit', minute: '2-digit' })
}

/** A time of day, `18:00` or `24:00`, on the viewer's 12- or 24-hour clock; text that is no time unchanged. */
export function timeOfDay(time: string): string {
  if (!isTime(time) || (time === '24:00' && !isTwelveHour)) return time
  return format(`1970-01-01T${time === '24:00' ? '00:00' : time}:00Z`, {
    timeZone: 'UTC',
    hour: '2-digit',
    minute: '2-digit',
  })
}

/** The half of the day of a time on the viewer's 12-hour clock; undefined on a 24-hour clock, which has none. */
export function halfOfDay(time: string): DayHalf | undefined {
  if (!isTwelveHour) return undefined
  return isTime(time) && time >= '12:00' ? 'p' : 'a'
}

/** `Fri 20 Nov` */
export function weekday(iso: string, timeZone: string): string {
  return format(iso, { timeZone, weekday: 'short', day: 'numeric', month: 'short' })
}

/** As short as the moment of the event allows: `18:00`, `Mon 06:00`, `16 Dec, 06:00`, with the year where it is another. */
export function near(iso: string, { at, timeZone }: { at: string; timeZone: string }): string {
  const time = clockMinutes(iso, timeZone)
  if (day(iso, timeZone) === day(at, timeZone)) return time
  const isClose = Math.abs(Date.parse(iso) - Date.parse(at)) < 6 * dayMs
  if (isClose) return `${format(iso, { timeZone, weekday: 'short' })} ${time}`
  return `${dateNear(iso, { at, timeZone })}, ${time}`
}

/** `31 Dec 2026` */
export function day(iso: string, timeZone: string): string {
  return format(iso, { timeZone, day: 'numeric', month: 'short', year: 'numeric' })
}

/** The last moment before an end: the midnight that ends a day belongs to that day. */
export function lastMoment(iso: string, timeZone: string): string {
  const time = clockMinutes(iso, timeZone)
  if (isMidnight(iso, timeZone)) return day(new Date(Date.parse(iso) - 1).toISOString(), timeZone)
  return `${day(iso, timeZone)}, ${time}`
}

/** `42 minutes`: seconds up to a minute, minutes up to an hour, hours up to 2 days, then days. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return text('why.duration.seconds', { count: seconds })
  if (seconds < 3_600) return text('why.duration.minutes', { count: Math.floor(seconds / 60) })
  if (seconds < 172_800) return text('why.duration.hours', { count: Math.floor(seconds / 3_600) })
  return text('why.duration.days', { count: Math.floor(seconds / 86_400) })
}

const dayMs = 86_400_000
const isTwelveHour = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true
const formats = new Map<string, Intl.DateTimeFormat>()

function dateNear(iso: string, { at, timeZone }: { at: string; timeZone: string }) {
  const isSameYear = format(iso, { timeZone, year: 'numeric' }) === format(at, { timeZone, year: 'numeric' })
  return isSameYear ? format(iso, { timeZone, day: 'numeric', month: 'short' }) : day(iso, timeZone)
}

function isMidnight(iso: string, timeZone: string) {
  const minutes = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return minutes.format(new Date(iso)) === '00:00'
}

function format(iso: string, options: Intl.DateTimeFormatOptions) {
  const key = JSON.stringify(options)
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, made)
  return made.format(new Date(iso)).replace(',', '')
}

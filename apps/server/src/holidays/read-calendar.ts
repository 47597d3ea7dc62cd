import { importBounds, type Rejection } from '@portcullis/contract/calls/import-holidays'
import { problem, type Problem } from '@portcullis/contract/errors/problem'
import { type HolidayDates, type HolidayKind, holidayKinds } from '@portcullis/domain/policy'
import ICAL from 'ical.js'
import { AppError } from '../errors/app-error.ts'
import { yearlyDays } from './yearly-days.ts'

export type CalendarEvent = { name: string } & (
  | { rejection: Rejection }
  | { rejection?: undefined; kind: HolidayKind | undefined; dates: HolidayDates[] }
)

type Day = { year: number; month: number; day: number }

/** A recurrence as the parser returns it: BYDAY as text, other parts as numbers. */
export type Recur = {
  freq: string
  interval: number
  count: number | null
  until: Day | null
  parts: Readonly<Record<string, readonly unknown[] | undefined>>
}

/** The events of an iCalendar file, each with its days or why it has none. Throws a `bad_request` for any other file. */
export function readCalendar(file: string, { year }: { year: number }): CalendarEvent[] {
  const calendar = parse(file)
  const events = calendar.getAllSubcomponents('vevent')
  if (events.length > importBounds.events) throw unusable(problem('too_many_entries', { maximum: importBounds.events }))
  const zone = textOf(calendar, 'x-wr-timezone')
  return events.map((event) => {
    const name = textOf(event, 'summary')
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, maxName)
    const read = name === '' ? 'no_name' : daysOf(event, { zone, year })
    return typeof read === 'string' ? { name, rejection: read } : { name, kind: kindOf(event), dates: read }
  })
}

const maxName = 120
/** Of one holiday. */
const maxDates = 50
/** How many years ahead a recurrence is expanded that is not on the same date every year. */
const yearsAhead = 10

function parse(file: string) {
  try {
    const calendar = ICAL.Component.fromString(file)
    if (calendar.name === 'vcalendar') return calendar
  } catch (cause) {
    throw new AppError('bad_request', {}, { fields: { file: problem('not_a_calendar') }, cause })
  }
  throw unusable(problem('not_a_calendar'))
}

function unusable(found: Problem) {
  return new AppError('bad_request', {}, { fields: { file: found } })
}

type Component = InstanceType<typeof ICAL.Component>
type Context = { zone: string; year: number }

function daysOf(event: Component, context: Context): HolidayDates[] | Rejection {
  if (textOf(event, 'status').toUpperCase() === 'CANCELLED') return 'cancelled'
  if (event.hasProperty('recurrence-id') || event.hasProperty('rdate')) return 'unsupported_recurrence'
  const span = spanOf(event, context.zone)
  if (span === undefined) return 'not_whole_days'
  const found = recurrenceOf(event, { ...context, start: span.start })
  if (found === undefined) return 'unsupported_recurrence'
  const first = dateOf(span.start)
  if (found === 'every year')
    return [{ from: first, until: dateOf(plusDays(span.start, span.days - 1)), recurring: true }]
  const without = new Set(event.getAllProperties('exdate').flatMap((each) => each.getValues().map(excludedDate)))
  const dates = found
    .map((day) => ({ from: dateOf(day), until: dateOf(plusDays(day, span.days - 1)), recurring: false }))
    .filter(({ from }) => !without.has(from))
  if (dates.length > maxDates) return 'too_many_dates'
  return dates.length > 0 ? dates : 'no_dates'
}

/** The first day and the number of days; undefined unless it lasts from midnight to midnight where it takes place. */
function spanOf(event: Component, zone: string) {
  const start = timeOf(event, 'dtstart')
  if (start === undefined) return undefined
  const end = timeOf(event, 'dtend') ?? endByDuration(event, start)
  const [from, until] = [onWallClock(start, zone), end && onWallClock(end, zone)]
  if (!from || (until === undefined && !start.isDate)) return undefined
  if (until === undefined) return { start: from, days: 1 }
  // Some programs end an event of one day on that day.
  const days = Math.max(
    start.isDate ? 1 : 0,
    Math.round((Date.parse(dateOf(until)) - Date.parse(dateOf(from))) / dayMs),
  )
  return days > 0 ? { start: from, days } : undefined
}

const dayMs = 86_400_000

function timeOf(event: Component, property: string) {
  const value = event.getFirstPropertyValue(property)
  return value instanceof ICAL.Time ? value : undefined
}

function endByDuration(event: Component, start: InstanceType<typeof ICAL.Time>) {
  const duration = event.getFirstPropertyValue('duration')
  if (!(duration instanceof ICAL.Duration)) return undefined
  const end = start.clone()
  end.addDuration(duration)
  return end
}

/** The day that begins at a time, on the clock of the event; times in UTC are on the clock of the file's time zone. */
function onWallClock(time: InstanceType<typeof ICAL.Time>, zone: string): Day | undefined {
  const { year, month, day } = time
  if (time.isDate) return { year, month, day }
  if (time.zone?.tzid !== 'UTC') return time.hour + time.minute + time.second === 0 ? { year, month, day } : undefined
  try {
    const local = Temporal.Instant.fromEpochMilliseconds(time.toJSDate().getTime()).toZonedDateTimeISO(zone || 'UTC')
    return local.hour + local.minute + local.second === 0 ? local : undefined
  } catch {
    return undefined
  }
}

/** Those of past years, and one more than are stored. */
const maxFound = 300

type Recurring = Context & { start: Day }

function recurrenceOf(event: Component, { start, year }: Recurring) {
  const [property, another] = event.getAllProperties('rrule')
  if (property === undefined) return [start]
  const recur = property.getFirstValue()
  if (another !== undefined || !(recur instanceof ICAL.Recur)) return undefined
  const { freq, interval, count, until, parts } = recur
  const days = yearlyDays({
    recur: { freq, interval, count: count ?? null, until: until ?? null, parts: { ...parts } },
    start,
    lastYear: year + yearsAhead,
    most: maxFound,
  })
  const isEndless = !count && !until
  if (days === 'every year' && event.hasProperty('exdate')) return undefined
  // Of a recurrence without an end, years long past are left out.
  return isEndless && Array.isArray(days) ? days.filter((each) => each.year >= year) : days
}

function excludedDate(value: unknown) {
  return value instanceof ICAL.Time ? dateOf(value) : ''
}

function kindOf(event: Component): HolidayKind | undefined {
  const names = event.getAllProperties('categories').flatMap((each) => each.getValues().map(String))
  return holidayKinds.find((kind) => names.some((name) => name.toLowerCase() === kind))
}

function textOf(component: Component, property: string) {
  const value = component.getFirstPropertyValue(property)
  return typeof value === 'string' ? value : ''
}

function plusDays({ year, month, day }: Day, days: number): Day {
  const moved = new Date(Date.UTC(year, month - 1, day + days))
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}

function dateOf({ year, month, day }: Day) {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

function pad(number: number, length: number) {
  return String(number).padStart(length, '0')
}

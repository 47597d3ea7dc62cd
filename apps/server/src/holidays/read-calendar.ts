import { importBounds, type Rejection } from '@portcullis/contract/calls/import-holidays'
import { holidayBounds } from '@portcullis/contract/collections/holidays'
import { problem, type Problem } from '@portcullis/contract/errors/problem'
import { type HolidayDates, type HolidayKind, holidayKinds } from '@portcullis/domain/policy'
import { AppError } from '../errors/app-error.ts'
import { type Component, parseCalendar, type Property } from './parse-calendar.ts'
import { dayNumberOf, dayOf, endOf, type Moment, momentOf, onWallClock, recurOf } from './calendar-values.ts'
import { yearlyDays } from './yearly-days.ts'

export type CalendarEvent = { name: string } & (
  | { rejection: Rejection }
  | { rejection?: undefined; kind: HolidayKind | undefined; dates: HolidayDates[] }
)

/** The events of an iCalendar file, each with its days or why it has none. Throws a `bad_request` for any other file. */
export function readCalendar(file: string, { year }: { year: number }): CalendarEvent[] {
  const calendar = parseCalendar(file)
  if (calendar === undefined) throw unusable(problem('not_a_calendar'))
  const { events } = calendar
  if (events.length > importBounds.events) throw unusable(problem('too_many_entries', { maximum: importBounds.events }))
  const zone = textOf(calendar, 'x-wr-timezone')
  return events.map((event) => {
    const name = textOf(event, 'summary')
      .replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, maxName)
      .toWellFormed()
    const read = name === '' ? 'no_name' : daysOf(event, { zone, year })
    return typeof read === 'string' ? { name, rejection: read } : { name, kind: kindOf(event), dates: read }
  })
}

const maxName = 120
/** Of one holiday. */
const maxDates = 50
/** How many years ahead a recurrence is expanded that is not on the same date every year. */
const yearsAhead = 10

function unusable(found: Problem) {
  return new AppError('bad_request', {}, { fields: { file: found } })
}

type Context = { zone: string; year: number }

function daysOf(event: Component, context: Context): HolidayDates[] | Rejection {
  if (textOf(event, 'status').toUpperCase() === 'CANCELLED') return 'cancelled'
  if (propertyOf(event, 'recurrence-id') || propertyOf(event, 'rdate')) return 'unsupported_recurrence'
  const span = spanOf(event, context.zone)
  if (typeof span === 'string') return span
  const found = recurrenceOf(event, { ...context, start: span.start })
  if (found === undefined) return 'unsupported_recurrence'
  if (found === 'every year') return [datesOf({ ...span, recurring: true })]
  const exceptions = propertiesOf(event, 'exdate').flatMap(({ values }) => values.map((value) => momentOf(value)?.day))
  const without = new Set(exceptions)
  const days = found.filter((day) => !without.has(day))
  if (days.length > maxDates) return 'too_many_dates'
  return days.length > 0 ? days.map((day) => datesOf({ ...span, start: day, recurring: false })) : 'no_dates'
}

const [firstDay, lastDay] = [dayNumberOf(holidayBounds.first), dayNumberOf(holidayBounds.last)]

type Span = { start: number; days: number }

/** The first day and the number of days; rejected unless it lasts from midnight to midnight where it takes place. */
function spanOf(event: Component, zone: string): Span | Rejection {
  const moment = momentOf(propertyOf(event, 'dtstart')?.values[0])
  const start = moment && onWallClock(moment, zone)
  if (moment === undefined || start === undefined) return 'not_whole_days'
  const until = endDayOf(event, { moment, zone }) ?? start
  // Some programs end an event of one day on that day.
  const days = Math.max(moment.isDate ? 1 : 0, until - start)
  if (days < 1) return 'not_whole_days'
  return start >= firstDay && start + days - 1 <= lastDay ? { start, days } : 'invalid'
}

function endDayOf(event: Component, { moment, zone }: { moment: Moment; zone: string }) {
  const end = momentOf(propertyOf(event, 'dtend')?.values[0]) ?? endOf(moment, propertyOf(event, 'duration')?.values[0])
  return end && onWallClock(end, zone)
}

/** Those of past years, and one more than are stored. */
const maxFound = 300

type Recurring = Context & { start: number }

function recurrenceOf(event: Component, { start, year }: Recurring) {
  const [property, another] = propertiesOf(event, 'rrule')
  if (property === undefined) return [start]
  const recur = recurOf(property.values[0])
  if (another !== undefined || recur === undefined) return undefined
  const days = yearlyDays({ recur, start: dayOf(start), lastYear: year + yearsAhead, most: maxFound })
  const isEndless = recur.count === null && recur.until === null
  if (days === 'every year') return propertyOf(event, 'exdate') ? undefined : days
  // Of a recurrence without an end, years long past are left out.
  const kept = isEndless ? days?.filter((each) => each.year >= year) : days
  return kept?.map((each) => Date.UTC(each.year, each.month - 1, each.day) / dayMs)
}

function kindOf(event: Component): HolidayKind | undefined {
  const names = propertiesOf(event, 'categories').flatMap(({ values }) => values.map(String))
  return holidayKinds.find((kind) => names.some((name) => name.toLowerCase() === kind))
}

type WithProperties = Pick<Component, 'properties'>

function propertiesOf({ properties }: WithProperties, name: string): Property[] {
  return properties.filter((each) => each.name === name)
}

function propertyOf({ properties }: WithProperties, name: string) {
  return properties.find((each) => each.name === name)
}

function textOf(component: WithProperties, name: string) {
  const value = propertyOf(component, name)?.values[0]
  return typeof value === 'string' ? value : ''
}

const dayMs = 86_400_000

function datesOf({ start, days, recurring }: Span & { recurring: boolean }): HolidayDates {
  return { from: dateOf(start), until: dateOf(start + days - 1), recurring }
}

function dateOf(day: number) {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

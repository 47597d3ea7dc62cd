import type { Holiday, HolidayDates } from '@portcullis/domain/policy'
import { holidayDays } from '@portcullis/domain/time/holiday-days'
import { text } from '../text/text.ts'
import { locale } from '../text/language.ts'

/** `16 Dec, every year`, `30 Jun to 1 Jul 2027`; of several the first, and the number of others. */
export function datesInWords(dates: readonly HolidayDates[]): string {
  const [first, ...rest] = dates
  if (first === undefined) return '–'
  const words = rangeInWords(first)
  return rest.length > 0 ? text('holidays.moreDates', { dates: words, count: rest.length }) : words
}

/** The next civil day of a holiday, today included: `Wed 16 Dec 2026`; undefined if there is none within two years. */
export function nextDateInWords(holiday: Holiday, today: string): string | undefined {
  const fromDay = Date.parse(`${today}T00:00:00Z`) / dayMs
  const [next] = Object.keys(holidayDays({ holidays: [holiday], fromDay, untilDay: fromDay + daysAhead }))
  return next && civil(next, dayAndDate)
}

const dayMs = 86_400_000
const daysAhead = 731

function rangeInWords({ from, until, recurring }: HolidayDates): string {
  const last = civil(until, recurring ? dayOfYear : wholeDate)
  const isSameYear = from.slice(0, 4) === until.slice(0, 4)
  const first = civil(from, isSameYear || recurring ? dayOfYear : wholeDate)
  const dates = from === until ? last : text('holidays.dayRange', { from: first, until: last })
  return recurring ? text('holidays.everyYear', { dates }) : dates
}

const dayOfYear = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })
const wholeDate = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })

const dayAndDate = new Intl.DateTimeFormat(locale, {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** A civil date has no time zone, so it is formatted as one of UTC. */
function civil(date: string, format: Intl.DateTimeFormat) {
  const at = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(at) ? date : format.format(at)
}

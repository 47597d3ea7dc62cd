type Day = { year: number; month: number; day: number }

/** A recurrence as the parser returns it: BYDAY as text, other parts as numbers. */
export type Recur = {
  freq: string
  interval: number
  count: number | null
  until: Day | null
  parts: Readonly<Record<string, readonly unknown[] | undefined>>
}

type Recurrence = {
  recur: Recur
  start: Day
  /** Years up to this one are expanded where the recurrence does not end. */
  lastYear: number
  /** How many days to find at most. */
  most: number
}

/** How a yearly recurrence continues: on the same date every year, or on these days; undefined for any other one. */
export function yearlyDays({ recur, start, lastYear, most }: Recurrence): 'every year' | Day[] | undefined {
  const { interval, count, until, parts } = recur
  const dayIn = isYearly(recur, start) ? ruleOf(parts, start) : undefined
  if (dayIn === undefined) return undefined
  const isEndless = count === null && until === null
  if (isEndless && interval === 1 && parts['BYDAY'] === undefined) return 'every year'
  const end = isEndless ? lastYear : lastStorableYear
  const days = yearsUntil(end, { first: start.year, interval }).flatMap((year) => dayIn(year) ?? [])
  const found = until === null ? days : days.filter((day) => numberOf(day) <= numberOf(until))
  return found.slice(0, Math.min(count ?? most, most))
}

const [firstStorableYear, lastStorableYear] = [1900, 2199]

function isYearly({ freq, interval }: Recur, { year }: Day) {
  return freq === 'YEARLY' && interval >= 1 && year >= firstStorableYear
}

/** At most 300: a file may have thousands of events. */
function yearsUntil(end: number, { first, interval }: { first: number; interval: number }) {
  const length = Math.max(0, Math.floor((end - first) / interval) + 1)
  return Array.from({ length }, (_, index) => first + index * interval)
}

type RuleParts = Recur['parts']
type DayIn = (year: number) => Day | undefined

/** The day of each year: the date of the start, or a weekday of a month such as the fourth Thursday. */
function ruleOf(parts: RuleParts, start: Day): DayIn | undefined {
  const { BYMONTH, BYMONTHDAY, BYDAY, ...others } = parts
  if (Object.keys(others).length > 0 || !isOnly(BYMONTH, start.month)) return undefined
  if (BYDAY !== undefined) return BYMONTHDAY === undefined ? weekdayRule(BYDAY, start.month) : undefined
  return isOnly(BYMONTHDAY, start.day) ? (year) => existing({ ...start, year }) : undefined
}

/** Whether a part is absent, or has this value alone. */
function isOnly(list: readonly unknown[] | undefined, value: number) {
  return list === undefined || (list.length === 1 && list[0] === value)
}

function weekdayRule(days: readonly unknown[], month: number): DayIn | undefined {
  const [, nth, name = ''] = /^([+-]?[1-5])(MO|TU|WE|TH|FR|SA|SU)$/.exec(days.join(',')) ?? []
  if (nth === undefined) return undefined
  return (year) => weekdayOf({ year, month, weekday: weekdays.indexOf(name), nth: Number(nth) })
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** `nth`: from the end of the month if it is negative. */
function weekdayOf({ year, month, weekday, nth }: { year: number; month: number; weekday: number; nth: number }) {
  const last = daysIn(year, month)
  const first = 1 + ((weekday - weekdayAt(year, month, 1) + 7) % 7)
  const day = nth > 0 ? first + (nth - 1) * 7 : first + Math.floor((last - first) / 7) * 7 + (nth + 1) * 7
  return day >= 1 && day <= last ? { year, month, day } : undefined
}

function weekdayAt(year: number, month: number, day: number) {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay()
}

function existing(day: Day) {
  return day.day <= daysIn(day.year, day.month) ? day : undefined
}

function daysIn(year: number, month: number) {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function numberOf({ year, month, day }: Day) {
  return year * 10_000 + month * 100 + day
}

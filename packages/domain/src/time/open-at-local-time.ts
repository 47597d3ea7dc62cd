import type { Holiday, Schedule } from '../policy.ts'

type AtLocalTime = {
  readonly hours: Pick<Schedule, 'windows' | 'holidayHours'>
  readonly holidays: readonly Holiday[]
  readonly timeZone: string
  readonly instant: number
}

/** An independent and slow implementation of the rules for tests, with the zone database and without tables. */
export function isOpenAtLocalTime({ hours, holidays, timeZone, instant }: AtLocalTime): boolean {
  const wall = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
  const today = wall.toPlainDate()
  const clockNow = wall.toPlainTime().toString()
  const isLate = (end: string, start: string) => end <= start
  const isOpenToday = ({ start, end }: { start: string; end: string }) =>
    start <= clockNow && (isLate(end, start) || clockNow < end)
  const kinds = (['special', 'company', 'public'] as const).filter((kind) =>
    holidays.some((holiday) => holiday.kind === kind && isOn(holiday, today.toString())),
  )
  const ofKinds = kinds.map((kind) => hours.holidayHours[kind])
  if (ofKinds.some((each) => each === 'closed' || each.length === 0)) return false
  const own = ofKinds.find((each) => typeof each !== 'string')
  if (own !== undefined && typeof own !== 'string') return own.some(isOpenToday)
  const yesterday = today.subtract({ days: 1 })
  return hours.windows.some(
    ({ days, start, end }) =>
      (days.includes(today.dayOfWeek) && isOpenToday({ start, end })) ||
      (days.includes(yesterday.dayOfWeek) && isLate(end, start) && clockNow < end),
  )
}

/** Ranges that recur do not reach into the next year. */
function isOn({ dates }: Holiday, date: string) {
  const [day, isAfter] = [date.slice(5), (from: string) => from <= date]
  return dates.some(({ from, until, recurring }) =>
    recurring ? isAfter(from) && from.slice(5) <= day && day <= until.slice(5) : isAfter(from) && date <= until,
  )
}

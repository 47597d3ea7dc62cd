import { type Problem, problem } from '@portcullis/contract/errors/problem'
import { AppError } from '../errors/app-error.ts'

/** The moment that a question means, in epoch milliseconds: now, an instant, or what the clock on the site's wall says. */
export function askedMoment(at: string | undefined, { timeZone, now }: { timeZone: string; now: number }) {
  const moment = at === undefined ? now : momentOf(at, timeZone)
  if (Math.abs(moment - now) > mostYears * yearMs) throw wrong(problem('too_far_away', { years: mostYears }))
  return moment
}

const mostYears = 5
const yearMs = 366 * 86_400_000

function momentOf(at: string, timeZone: string) {
  if (!isSiteTime.test(at)) return Date.parse(at)
  try {
    // A time that the clocks leave out is that of an hour later; one that comes twice is the first.
    return Temporal.PlainDateTime.from(at, { overflow: 'reject' }).toZonedDateTime(timeZone).epochMilliseconds
  } catch (cause) {
    if (cause instanceof RangeError) throw wrong(problem('no_such_site_time'), cause)
    throw cause
  }
}

const isSiteTime = /T\d{2}:\d{2}(:\d{2})?$/

function wrong(at: Problem, cause?: unknown) {
  return new AppError('bad_request', {}, { fields: { at }, cause })
}

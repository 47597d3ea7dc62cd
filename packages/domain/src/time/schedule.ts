import type { HolidayKind } from '../policy.ts'
import type { MinuteWindow, ScheduleTable } from './schedule-table.ts'
import { joinedSpans } from './spans.ts'
import { dateOfEpochDay, dayMs, endOfLocalDay, localTime, type Span, spansOfLocal, type ZoneTable } from './zone.ts'

/** The holidays of a site by civil date, `YYYY-MM-DD`; several may fall on one day. */
export type HolidayDays = Readonly<Record<string, readonly HolidayDay[]>>
export type HolidayDay = { readonly _id: string; readonly kind: HolidayKind; readonly name?: string }

/** Instants in epoch milliseconds; those more than eight weeks away are omitted. */
export type ScheduleState = {
  readonly open: boolean
  readonly because: 'window' | 'no_window' | 'holiday'
  /** The holiday that determines the hours of the day, if any. */
  readonly holiday?: HolidayDay
  /** Whether that holiday closes the day or gives it hours of its own. */
  readonly holidayHours?: 'closed' | 'own'
  readonly closedSince?: number
  readonly opensAt?: number
  readonly openUntil?: number
}

export type ScheduleQuestion = {
  readonly schedule: ScheduleTable
  readonly holidays: HolidayDays
  readonly zone: ZoneTable
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * Whether a schedule is open at an instant, in the site's local time: an hour that a clock change skips is never open,
 * an hour that it repeats is open twice. A holiday governs its civil day from midnight to midnight: windows of the day
 * before end at its start, and its own hours end with it.
 */
export function scheduleState(question: ScheduleQuestion): ScheduleState {
  const { epochDay, msOfDay } = localTime(question.zone, question.at)
  const day = hoursOfDay(question, epochDay)
  const open = day.windows.some(({ from, until }) => from * minuteMs <= msOfDay && msOfDay < until * minuteMs)
  const governed = day.governing ?? {}
  if (open) return { open, because: 'window', ...governed, ...boundaries(question) }
  return { open, because: day.governing ? 'holiday' : 'no_window', ...governed, ...boundaries(question) }
}

/** A state, and the instants between which it is the same. */
export type LastingState = Span & { readonly state: ScheduleState }

/**
 * The same with the instants, from the one in question on, for which this is the answer: until the schedule opens or
 * closes, the local day or the offset of the zone ends, or an omitted instant comes within eight weeks.
 */
export function lastingState(question: ScheduleQuestion): LastingState {
  const { zone, at } = question
  const state = scheduleState(question)
  const until = Math.min(
    endOfLocalDay(zone, at),
    state.open ? nextChangeOpen(question, state) : nextChangeClosed(question, state),
  )
  return { state, from: at, until }
}

function nextChangeOpen(question: ScheduleQuestion, { openUntil }: ScheduleState): number {
  if (openUntil !== undefined) return openUntil
  const { at } = question
  const current = openSpans(question, farthestDays).find(({ from, until }) => from <= at && at < until)
  return current === undefined ? at : current.until - horizonMs
}

function nextChangeClosed(question: ScheduleQuestion, { closedSince, opensAt }: ScheduleState): number {
  const omitted = closedSince === undefined ? Number.POSITIVE_INFINITY : closedSince + horizonMs + 1
  if (opensAt !== undefined) return Math.min(opensAt, omitted)
  const after = openSpans(question, farthestDays).find(({ from }) => from > question.at)
  return after === undefined ? omitted : Math.min(after.from - horizonMs, omitted)
}

const minuteMs = 60_000
const minutesADay = 1440
/** Two days more than the horizon, so that no period within it is cut off. */
const farthestDays = 58
const horizonMs = 56 * dayMs

type DayHours = {
  readonly windows: readonly MinuteWindow[]
  readonly governing?: { readonly holiday: HolidayDay; readonly holidayHours: 'closed' | 'own' }
}

/** The open minutes of one civil day, and the holiday that governs it. */
export function hoursOfDay({ schedule, holidays }: Omit<ScheduleQuestion, 'at'>, epochDay: number): DayHours {
  const governed = holidayHours(schedule, holidays, epochDay)
  if (governed) return governed
  const today = isoWeekday(epochDay)
  const yesterday = isoWeekday(epochDay - 1)
  const windows: MinuteWindow[] = []
  for (const { day, from, until } of schedule.windows) {
    if (day === today) windows.push({ from, until: Math.min(until, minutesADay) })
    if (day === yesterday && until > minutesADay) windows.push({ from: 0, until: until - minutesADay })
  }
  return { windows }
}

// If several holidays fall on one day, the strictest applies: closed, then own hours, then as usual; among own hours
// the most specific kind.
const mostSpecificFirst = ['special', 'company', 'public'] as const

function holidayHours(schedule: ScheduleTable, holidays: HolidayDays, epochDay: number): DayHours | undefined {
  const date = dateOfEpochDay(epochDay)
  const today = Object.hasOwn(holidays, date) ? (holidays[date] ?? []) : []
  const closing = today.find(({ kind }) => schedule.holidayHours[kind] === 'closed')
  if (closing) return { windows: [], governing: { holiday: closing, holidayHours: 'closed' } }
  for (const kind of mostSpecificFirst) {
    const hours = schedule.holidayHours[kind]
    const holiday = today.find((candidate) => candidate.kind === kind)
    if (holiday === undefined || typeof hours === 'string') continue
    const windows = hours.map(({ from, until }) => ({ from, until: Math.min(until, minutesADay) }))
    return { windows, governing: { holiday, holidayHours: 'own' } }
  }
  return undefined
}

type Boundaries = { closedSince?: number; opensAt?: number; openUntil?: number }

/** Searches a few days around first, because the answer is nearly always there. */
function boundaries(question: ScheduleQuestion): Boundaries {
  let found: Boundaries = {}
  for (const reachDays of [2, 9, farthestDays]) {
    found = boundariesWithin(question, reachDays)
    if (found.openUntil !== undefined) return found
    if (found.closedSince !== undefined && found.opensAt !== undefined) return found
  }
  return found
}

function boundariesWithin(question: ScheduleQuestion, reachDays: number): Boundaries {
  const { at } = question
  const spans = openSpans(question, reachDays)
  // An open period at either end may continue into a day outside the range.
  const reachMs = Math.min((reachDays - 1) * dayMs, horizonMs)
  const isNear = (instant: number) => Math.abs(instant - at) <= reachMs
  const current = spans.find(({ from, until }) => from <= at && at < until)
  if (current) return isNear(current.until) ? { openUntil: current.until } : {}
  const before = spans.findLast(({ until }) => until <= at)
  const after = spans.find(({ from }) => from > at)
  const found: Boundaries = {}
  if (before && isNear(before.until)) found.closedSince = before.until
  if (after && isNear(after.from)) found.opensAt = after.from
  return found
}

/** The periods in which the schedule is open, in order, with touching ones joined. */
function openSpans(question: ScheduleQuestion, reachDays: number): Span[] {
  const { epochDay } = localTime(question.zone, question.at)
  const spans: Span[] = []
  for (let day = epochDay - reachDays; day <= epochDay + reachDays; day += 1) {
    for (const { from, until } of hoursOfDay(question, day).windows) {
      const midnight = day * dayMs
      spans.push(
        ...spansOfLocal(question.zone, { from: midnight + from * minuteMs, until: midnight + until * minuteMs }),
      )
    }
  }
  return joinedSpans(spans)
}

/** 1970-01-01 was a Thursday. */
function isoWeekday(epochDay: number): number {
  return ((((epochDay + 3) % 7) + 7) % 7) + 1
}

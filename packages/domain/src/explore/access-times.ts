import type { AccessFacts, HolderFacts, RuleFacts, SiteCalendar } from '../decision/access-facts.ts'
import type { Adhoc, Direction } from '../policy.ts'
import { hoursOfDay } from '../time/schedule.ts'
import type { ScheduleTable } from '../time/schedule-table.ts'
import { clippedSpans, joinedSpans, subtractSpans } from '../time/spans.ts'
import type { Validity } from '../time/validity.ts'
import { localTime, type Span, spansOfLocal } from '../time/zone.ts'

/**
 * The periods within a span (epoch milliseconds) in which a user can open a door, apart from a PIN and an approval:
 * those in which `decideAccess` returns anything but deny for the same facts. The calendar of the facts must cover the
 * span.
 */
export function accessTimes(facts: AccessFacts, span: Span): readonly Span[] {
  return limitToHolder(ruleTimes(facts, span), facts)
}

/** The hours that rules allow, without those that they deny. */
export function ruleTimes({ rules, calendar, direction }: RuleTimes, span: Span): readonly Span[] {
  const around = { calendar, span, direction }
  return subtractSpans(
    joinedSpans(rules.allow.flatMap((rule) => allowedTimes(rule, around))),
    joinedSpans(rules.deny.flatMap((rule) => deniedTimes(rule, around))),
  )
}

type RuleTimes = Pick<AccessFacts, 'rules' | 'calendar' | 'direction'>

export type Around = { readonly calendar: SiteCalendar | undefined; readonly direction: Direction; readonly span: Span }

/** The hours that one rule allows in a direction. */
export function allowedTimes(rule: RuleFacts, { calendar, direction, span }: Around): readonly Span[] {
  if (!isFor(rule, direction)) return []
  const { schedule, adhoc } = rule
  const within = adhoc === null ? span : overlap(span, allowedBox(adhoc))
  if (schedule === null) return clippedSpans([within], span)
  if (schedule.table === null || calendar === undefined) return []
  return openTimes(schedule.table, { calendar, span: within })
}

/** The hours that one rule denies. Deny rules fail closed: see `denyRuleFinding`. */
export function deniedTimes(rule: RuleFacts, { calendar, direction, span }: Around): readonly Span[] {
  if (!isFor(rule, direction)) return []
  const { schedule, adhoc } = rule
  const within = adhoc === null ? span : overlap(span, deniedBox(adhoc))
  const table = schedule?.table ?? null
  if (table === null || calendar === undefined) return clippedSpans([within], span)
  const around = { calendar, span: within }
  return joinedSpans([...openTimes(table, around), ...closedHolidays(table, around)])
}

/** The part of the rules' times in which door, credential and holder also allow access. */
function limitToHolder(times: readonly Span[], facts: AccessFacts): readonly Span[] {
  if (!mayOpen(facts.door, facts.passGroups) || Object.values(facts.state).includes('violated')) return []
  if (facts.leftOut?.door || facts.leftOut?.credential) return []
  return clippedSpans(times, validSpanOf(facts))
}

/** Whether a door can open for a user, by its controller and its mode. */
export function mayOpen(door: AccessFacts['door'], passGroups: AccessFacts['passGroups']): boolean {
  if (door === undefined || !door.enabled || !door.unitInService) return false
  return door.mode !== 'blocked' && (door.mode !== 'lockdown' || passGroups !== undefined)
}

/** The period in which a credential and its holder are valid. */
export function validSpanOf({ credential, holder }: Pick<AccessFacts, 'credential' | 'holder'>): Span {
  if (credential === undefined || !credential.assigned || credential.status !== 'active') return never
  if (holder === undefined || holder.status !== 'active') return never
  return [validSpan(holder), certifiedSpan(holder)].reduce(overlap, validSpan(credential))
}

type CalendarInSpan = { readonly calendar: SiteCalendar; readonly span: Span }

function openTimes(schedule: ScheduleTable, { calendar, span }: CalendarInSpan): readonly Span[] {
  const times = daysOf(calendar, span).flatMap((day) =>
    hoursOfDay({ schedule, ...calendar }, day).windows.flatMap(({ from, until }) =>
      spansOfLocal(calendar.zone, {
        from: (day * minutesADay + from) * minuteMs,
        until: (day * minutesADay + until) * minuteMs,
      }),
    ),
  )
  return clippedSpans(joinedSpans(times), span)
}

function closedHolidays(schedule: ScheduleTable, { calendar, span }: CalendarInSpan): readonly Span[] {
  const times = daysOf(calendar, span)
    .filter((day) => hoursOfDay({ schedule, ...calendar }, day).governing?.holidayHours === 'closed')
    .flatMap((day) => spansOfLocal(calendar.zone, { from: day * dayMs, until: (day + 1) * dayMs }))
  return clippedSpans(joinedSpans(times), span)
}

/** The civil days that a span touches, and one more at either end, because clocks may be set back across midnight. */
function daysOf({ zone }: SiteCalendar, { from, until }: Span): number[] {
  if (from >= until) return []
  const first = localTime(zone, from).epochDay - 1
  const last = localTime(zone, until).epochDay + 1
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

const minuteMs = 60_000
const minutesADay = 1440
const dayMs = minutesADay * minuteMs

function isFor(rule: RuleFacts, direction: Direction): boolean {
  return rule.direction === 'both' || rule.direction === direction
}

const never: Span = { from: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY }
const always: Span = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }

/** A time box with an invalid start or end allows nothing. */
function allowedBox({ from, until }: Adhoc): Span {
  const box = { from: Date.parse(from), until: Date.parse(until) }
  return Number.isNaN(box.from) || Number.isNaN(box.until) ? never : box
}

/** An invalid start or end of a deny's time box counts as unbounded. */
function deniedBox({ from, until }: Adhoc): Span {
  const box = { from: Date.parse(from), until: Date.parse(until) }
  return {
    from: Number.isNaN(box.from) ? always.from : box.from,
    until: Number.isNaN(box.until) ? always.until : box.until,
  }
}

function validSpan({ validFrom, validUntil }: Validity): Span {
  const from = validFrom === null ? always.from : Date.parse(validFrom)
  const until = validUntil === null ? always.until : Date.parse(validUntil)
  return Number.isNaN(from) || Number.isNaN(until) ? never : { from, until }
}

function certifiedSpan({ recertification }: HolderFacts): Span {
  if (!recertification.enforced) return always
  if (recertification.by === null) return never
  return validSpan({ validFrom: null, validUntil: recertification.by })
}

function overlap(a: Span, b: Span): Span {
  return { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until) }
}

import type { AccessFacts, RuleFacts } from './access-facts.ts'
import { type Finding, passed, present, type RuleFindingFacts, refused, unasked } from './finding.ts'
import { type ReasonCode, reasonCodes } from './reasons.ts'
import { type ScheduleState, scheduleState } from '../time/schedule.ts'

/**
 * Step 5: a deny rule that applies now. Deny rules fail closed: one whose schedule is missing, invalid or closed by a
 * holiday applies, as does one whose time box cannot be read. A schedule's own hours for a holiday are respected.
 */
export function denyRuleFinding(facts: AccessFacts): Finding {
  if (facts.holder === undefined || facts.door === undefined) return unasked('deny_rule')
  const activeDenies = facts.rules.deny
    .map((rule) => ({ rule, reading: readRule(facts, rule) }))
    .filter(({ rule, reading }) => isDenyActive(facts, rule, reading))
    .sort((a, b) => byId(a.rule, b.rule))
    .map(({ reading }) => reading.facts)
  const [first, ...others] = activeDenies
  if (first === undefined) return passed('deny_rule', {})
  return refused('deny_rule', 'denied_by_rule', others.length > 0 ? { ...first, otherRules: others } : first)
}

/** Step 6: an allow rule for this user, door and direction that applies now. Several rules give the union of times. */
export function allowRuleFinding(facts: AccessFacts): Finding {
  if (facts.holder === undefined || facts.door === undefined) return unasked('allow_rule')
  const answers = facts.rules.allow
    .map((rule) => ({ rule, ...allowAnswer(facts, readRule(facts, rule), rule) }))
    .sort(
      (a, b) =>
        rank(a) - rank(b) || a.missedByMs - b.missedByMs || reasonRank(a) - reasonRank(b) || byId(a.rule, b.rule),
    )
  const [nearest, ...rest] = answers
  if (nearest === undefined) return refused('allow_rule', 'no_access', {})
  const others = rest.map(({ reading, reason }) => (reason === null ? reading.facts : { ...reading.facts, reason }))
  const found = others.length > 0 ? { ...nearest.reading.facts, otherRules: others } : nearest.reading.facts
  return nearest.reason === null ? passed('allow_rule', found) : refused('allow_rule', nearest.reason, found)
}

type Reading = {
  readonly matchesDirection: boolean
  /** Absent: always, or the schedule is missing or invalid. */
  readonly state?: ScheduleState
  readonly scheduleMissing: boolean
  readonly facts: RuleFindingFacts
}

function readRule({ at, direction, calendar }: AccessFacts, rule: RuleFacts): Reading {
  const state = readSchedule({ at, calendar }, rule)
  const scheduleMissing = rule.schedule !== null && state === undefined
  const facts: RuleFindingFacts = present({
    rule: ref(rule),
    via: rule.via,
    direction,
    ruleDirection: rule.direction,
    adhoc: rule.adhoc ?? undefined,
    ...(rule.schedule && { schedule: ref(rule.schedule), timeZone: calendar?.timeZone }),
    scheduleMissing: scheduleMissing || undefined,
    ...(state && {
      holiday: state.holiday,
      closedSince: isoOf(state.closedSince),
      opensAt: isoOf(state.opensAt),
      openUntil: isoOf(state.openUntil),
    }),
  })
  return { matchesDirection: rule.direction === 'both' || rule.direction === direction, state, scheduleMissing, facts }
}

function readSchedule({ at, calendar }: Pick<AccessFacts, 'at' | 'calendar'>, { schedule }: RuleFacts) {
  if (!schedule?.table || !calendar) return undefined
  return scheduleState({ schedule: schedule.table, holidays: calendar.holidays, zone: calendar.zone, at })
}

function isDenyActive(
  { at }: AccessFacts,
  { adhoc }: RuleFacts,
  { matchesDirection, state, scheduleMissing }: Reading,
) {
  if (!matchesDirection) return false
  if (adhoc !== null && (at < Date.parse(adhoc.from) || at >= Date.parse(adhoc.until))) return false
  return scheduleMissing || state === undefined || state.open || state.holidayHours === 'closed'
}

type AllowAnswer = { readonly reading: Reading; readonly reason: ReasonCode | null; readonly missedByMs: number }

/** Direction first, then the schedule with its holidays, then the time box. */
function allowAnswer({ at }: AccessFacts, reading: Reading, rule: RuleFacts): AllowAnswer {
  const { state, scheduleMissing } = reading
  if (!reading.matchesDirection) return { reading, reason: 'no_access', missedByMs: Number.MAX_VALUE }
  if (scheduleMissing) return { reading, reason: 'outside_schedule', missedByMs: Number.MAX_VALUE }
  const adhoc = adhocMiss(rule, at)
  if (state !== undefined && !state.open) {
    const reason = state.because === 'holiday' ? 'holiday_closed' : 'outside_schedule'
    return { reading, reason, missedByMs: Math.max(closedByMs(state, at), adhoc?.missedByMs ?? 0) }
  }
  return { reading, reason: adhoc?.reason ?? null, missedByMs: adhoc?.missedByMs ?? 0 }
}

function adhocMiss({ adhoc }: RuleFacts, at: number) {
  if (adhoc === null) return undefined
  const from = Date.parse(adhoc.from)
  const until = Date.parse(adhoc.until)
  if (!(at >= from)) return { reason: 'adhoc_not_started', missedByMs: distance(from - at) } as const
  if (!(at < until)) return { reason: 'adhoc_ended', missedByMs: distance(at - until) } as const
  return undefined
}

function closedByMs({ closedSince, opensAt }: ScheduleState, at: number): number {
  return Math.min(distance(at - (closedSince ?? Number.NaN)), distance((opensAt ?? Number.NaN) - at))
}

// Not Infinity, because two of them must subtract to 0 in the sort.
function distance(ms: number): number {
  return Number.isNaN(ms) ? Number.MAX_VALUE : ms
}

/** Rules that allow access come first, then misses in time, then rules for another direction. */
function rank({ reason }: AllowAnswer): number {
  if (reason === null) return 0
  return reason === 'no_access' ? 2 : 1
}

function reasonRank({ reason }: AllowAnswer): number {
  return reason === null ? 0 : reasonCodes.indexOf(reason)
}

function byId(a: RuleFacts, b: RuleFacts): number {
  if (a._id === b._id) return 0
  return a._id < b._id ? -1 : 1
}

function ref({ _id, name }: { readonly _id: string; readonly name?: string }) {
  return present({ _id, name })
}

function isoOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}

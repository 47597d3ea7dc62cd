import type { AccessFacts, RuleFacts, ScheduleFacts } from './access-facts.ts'
import { type Finding, passed, type RuleFindingFacts, ref, refused, unasked } from './finding.ts'
import type { Direction } from '../policy.ts'
import { type ReasonCode, reasonCodes } from './reasons.ts'
import { type ScheduleReading, scheduleReading } from './schedule-reading.ts'
import type { ScheduleState } from '../time/schedule.ts'

/**
 * Step 5: a deny rule that applies now. Deny rules fail closed: one whose schedule is missing, invalid or closed by a
 * holiday applies, as does one whose time box cannot be read. A schedule's own hours for a holiday are respected.
 */
export function denyRuleFinding(facts: AccessFacts): Finding {
  if (facts.holder === undefined || facts.door === undefined) return notAsked.deny_rule
  if (facts.rules.deny.length === 0) return noDenyRule
  const activeDenies = facts.rules.deny
    .map((rule) => ({ rule, reading: readRule(facts, rule) }))
    .filter(({ rule, reading }) => isDenyActive(facts, rule, reading))
    .sort((a, b) => byId(a.rule, b.rule))
    .map(({ reading }) => reading.facts)
  const [first, ...others] = activeDenies
  if (first === undefined) return noDenyRule
  return refused('deny_rule', 'denied_by_rule', others.length > 0 ? { ...first, otherRules: others } : first)
}

/** Step 6: an allow rule for this user, door and direction that applies now. Several rules give the union of times. */
export function allowRuleFinding(facts: AccessFacts): Finding {
  if (facts.holder === undefined || facts.door === undefined) return notAsked.allow_rule
  if (facts.rules.allow.length === 0) return noAllowRule
  const answers = facts.rules.allow.map((rule) => allowAnswer(facts, rule)).sort(nearestFirst)
  const nearest = answers[0]
  if (nearest === undefined) return noAllowRule
  const { facts: own } = nearest.reading
  const found = answers.length === 1 ? own : { ...own, otherRules: answers.slice(1).map(otherRule) }
  return nearest.reason === null ? passed('allow_rule', found) : refused('allow_rule', nearest.reason, found)
}

function otherRule({ reading, reason }: AllowAnswer) {
  return reason === null ? reading.facts : { ...reading.facts, reason }
}

const notAsked = { deny_rule: unasked('deny_rule'), allow_rule: unasked('allow_rule') } as const
const noDenyRule = passed('deny_rule', {})
const noAllowRule = refused('allow_rule', 'no_access', {})

type Reading = {
  readonly matchesDirection: boolean
  /** Absent: always, or the schedule is missing or invalid. */
  readonly state?: ScheduleState
  readonly scheduleMissing: boolean
  readonly facts: RuleFindingFacts
}

function readRule({ at, direction, calendar }: AccessFacts, rule: RuleFacts): Reading {
  const { schedule, direction: ruleDirection } = rule
  const reading = schedule?.table && calendar ? scheduleReading(calendar, schedule.table, at) : undefined
  const scheduleMissing = schedule !== null && reading === undefined
  const facts = factsOfRule(rule, direction)
  if (schedule !== null) addSchedule(facts, { schedule, calendar, scheduleMissing })
  if (reading !== undefined) addReading(facts, reading)
  const matchesDirection = ruleDirection === 'both' || ruleDirection === direction
  return { matchesDirection, state: reading?.state, scheduleMissing, facts }
}

type ScheduleOfRule = Pick<AccessFacts, 'calendar'> & { schedule: ScheduleFacts; scheduleMissing: boolean }

function addSchedule(facts: RuleFindingDraft, { schedule, calendar, scheduleMissing }: ScheduleOfRule) {
  facts.schedule = ref(schedule)
  if (calendar !== undefined) facts.timeZone = calendar.timeZone
  if (scheduleMissing) facts.scheduleMissing = true
  if (schedule.leftOut) facts.leftOut = true
}

function factsOfRule(rule: RuleFacts, direction: Direction): RuleFindingDraft {
  const { via, direction: ruleDirection, adhoc } = rule
  const facts: RuleFindingDraft =
    via === undefined
      ? { rule: ref(rule), direction, ruleDirection }
      : { rule: ref(rule), via, direction, ruleDirection }
  if (adhoc !== null) facts.adhoc = adhoc
  return facts
}

type RuleFindingDraft = { -readonly [Key in keyof RuleFindingFacts]: RuleFindingFacts[Key] }

// One by one, because `Object.assign` takes as long as the rest of a decision.
function addReading(facts: RuleFindingDraft, { facts: shown }: ScheduleReading) {
  if (shown.holiday !== undefined) facts.holiday = shown.holiday
  if (shown.closedSince !== undefined) facts.closedSince = shown.closedSince
  if (shown.opensAt !== undefined) facts.opensAt = shown.opensAt
  if (shown.openUntil !== undefined) facts.openUntil = shown.openUntil
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

type AllowAnswer = {
  readonly rule: RuleFacts
  readonly reading: Reading
  readonly reason: ReasonCode | null
  readonly missedByMs: number
}

/** Direction first, then the schedule with its holidays, then the time box. */
function allowAnswer(facts: AccessFacts, rule: RuleFacts): AllowAnswer {
  const { at } = facts
  const reading = readRule(facts, rule)
  const { state, scheduleMissing } = reading
  if (!reading.matchesDirection) return { rule, reading, reason: 'no_access', missedByMs: Number.MAX_VALUE }
  if (scheduleMissing) return { rule, reading, reason: 'outside_schedule', missedByMs: Number.MAX_VALUE }
  const adhoc = adhocMiss(rule, at)
  if (state !== undefined && !state.open) {
    const reason = state.because === 'holiday' ? 'holiday_closed' : 'outside_schedule'
    return { rule, reading, reason, missedByMs: Math.max(closedByMs(state, at), adhoc?.missedByMs ?? 0) }
  }
  return { rule, reading, reason: adhoc?.reason ?? null, missedByMs: adhoc?.missedByMs ?? 0 }
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

function nearestFirst(a: AllowAnswer, b: AllowAnswer): number {
  return rank(a) - rank(b) || a.missedByMs - b.missedByMs || reasonRank(a) - reasonRank(b) || byId(a.rule, b.rule)
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

import { type Phrase, phrase } from '../text/phrase.ts'
import { text } from '../text/text.ts'
import type { ParsedFinding, RuleFacts } from './finding-facts.ts'
import {
  type Check,
  capital,
  check,
  nearEvent,
  personPart,
  rulePart,
  schedulePart,
  type Explanation,
} from './explanation.ts'

/** Whether a user is excluded, and through which groups. */
export function denyRuleChecks(_: Explanation, { outcome, facts }: ParsedFinding): Check[] {
  if (outcome === 'passed') return [check('passed', text('why.check.denyPassed'))]
  if (outcome === 'not_asked') return [check('not_asked', text('why.check.denyNotChecked'))]
  const more: (Phrase | string)[] = [...via(facts)]
  if (facts.leftOut) more.push(text('why.check.denyLeftOut'))
  else if (facts.scheduleMissing) more.push(text('why.check.denyMissing'))
  else if (facts.holiday) more.push(text('why.check.denyHoliday', { holiday: facts.holiday.name ?? '' }))
  for (const other of facts.otherRules ?? []) more.push(phrase('why.check.alsoDenied', { rule: rulePart(other) }))
  return [check('refused', phrase('why.check.denyRefused', { rule: rulePart(facts) }), more)]
}

/** The nearest rule, its hours and its time box, each as a check; and the other rules that name both. */
export function allowRuleChecks(explanation: Explanation, { outcome, reason, facts }: ParsedFinding): Check[] {
  if (outcome === 'not_asked') return [check('not_asked', text('why.check.allowNotChecked'))]
  const rule = rulePart(facts)
  if (!facts.rule) {
    const line = phrase('why.check.noRule', { person: personPart(explanation) })
    return [check(outcome === 'passed' ? 'passed' : 'refused', capital(line))]
  }
  if (reason === 'no_access') {
    const direction = text(`why.check.direction.${facts.ruleDirection ?? 'both'}`)
    const line = phrase('why.check.ruleNamesOther', { rule, direction })
    return [check('refused', line, [...via(facts), ...others(facts)])]
  }
  return [
    check('passed', phrase('why.check.ruleNames', { rule }), [...via(facts), ...always(facts), ...others(facts)]),
    ...scheduleChecks(explanation, { reason, facts }),
    ...adhocChecks(explanation, { reason, facts }),
  ]
}

type Found = { reason?: ParsedFinding['reason']; facts: RuleFacts }

function scheduleChecks(explanation: Explanation, { reason, facts }: Found): Check[] {
  if (facts.leftOut) return [check('refused', text('why.check.scheduleLeftOut'))]
  if (facts.scheduleMissing) return [check('refused', text('why.check.scheduleMissing'))]
  if (!facts.schedule) return []
  const schedule = schedulePart(facts)
  const hours = facts.schedule._id && explanation.hoursOf(facts.schedule._id)
  const sentences = words[explanation.tense]
  const usual = hours ? [text('why.check.hours', { hours })] : []
  if (reason === 'holiday_closed') {
    const line = phrase(sentences.holiday, { schedule, holiday: facts.holiday?.name ?? '' })
    return [check('refused', line, [...usual, nextOpen(explanation, facts)])]
  }
  if (reason === 'outside_schedule') {
    const since = facts.closedSince
      ? [text('why.check.closedSince', { time: nearEvent(explanation, facts.closedSince) })]
      : []
    const when = [...since, nextOpen(explanation, facts)].join('; ')
    return [check('refused', phrase(sentences.closed, { schedule }), [...usual, when])]
  }
  const until = facts.openUntil
    ? [text('why.check.scheduleOpenUntil', { until: nearEvent(explanation, facts.openUntil) })]
    : []
  return [check('passed', phrase(sentences.open, { schedule }), [...usual, ...until])]
}

const words = {
  past: {
    open: 'why.check.scheduleOpen',
    closed: 'why.check.scheduleClosed',
    holiday: 'why.check.scheduleHoliday',
  },
  ahead: {
    open: 'explorer.check.scheduleOpen',
    closed: 'explorer.check.scheduleClosed',
    holiday: 'explorer.check.scheduleHoliday',
  },
} as const

function adhocChecks(explanation: Explanation, { reason, facts: { adhoc } }: Found): Check[] {
  if (!adhoc) return []
  const from = nearEvent(explanation, adhoc.from)
  const until = nearEvent(explanation, adhoc.until)
  if (reason === 'adhoc_not_started') return [check('refused', text('why.check.adhocEarly', { from }))]
  if (reason === 'adhoc_ended') return [check('refused', text('why.check.adhocEnded', { until }))]
  return [check('passed', text('why.check.adhocPassed', { until }))]
}

function nextOpen(explanation: Explanation, { opensAt }: RuleFacts) {
  return opensAt === undefined
    ? text('why.check.neverOpen')
    : text('why.check.nextOpen', { time: nearEvent(explanation, opensAt) })
}

function always({ schedule, scheduleMissing, adhoc }: RuleFacts) {
  return schedule || scheduleMissing || adhoc ? [] : [text('why.check.always')]
}

function others({
  otherRules = [],
}: {
  otherRules?: readonly (RuleFacts & { reason?: ParsedFinding['reason'] })[] | undefined
}) {
  return otherRules.map((other) => {
    const rule = rulePart(other)
    if (other.reason === undefined) return phrase('why.check.otherRuleGrants', { rule })
    // A rule that names user and door and still gives no access is for the other direction.
    if (other.reason === 'no_access') return phrase('why.check.otherRuleDirection', { rule })
    return phrase('why.check.otherRule', { rule, reason: text(`reason.${other.reason}`) })
  })
}

/** The groups and places by which a rule names the user and the door; empty if it names both directly. */
function via({ via }: RuleFacts): Phrase[] {
  const words: string[] = []
  if (via?.who.kind === 'User Group' && via.who.name) words.push(text('why.check.viaGroup', { name: via.who.name }))
  if (via?.where.name) {
    const { kind, name } = via.where
    if (kind === 'Door Group') words.push(text('why.check.viaDoorGroup', { name }))
    if (kind === 'Site') words.push(text('why.check.viaSite', { name }))
    if (kind === 'Site Group') words.push(text('why.check.viaSiteGroup', { name }))
  }
  const [one, two] = words
  if (one === undefined) return []
  return [[two === undefined ? text('why.check.viaOne', { one }) : text('why.check.viaTwo', { one, two })]]
}

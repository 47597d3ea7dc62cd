import type { DecideAccess, ExplainedFinding } from '@portcullis/contract/calls/explorer'
import { accessDays } from '@portcullis/domain/explore/access-days'
import { type AccessQuestion, exploreAccess, type ExploredAccess } from '@portcullis/domain/explore/explore-access'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Credential } from '@portcullis/domain/policy'
import { changeToOpen } from '@portcullis/domain/explore/changes-to-open'
import type { Finding, FindingFacts, Ref, RuleFindingFacts } from '@portcullis/domain/decision/finding'
import { doorRow, iso, viaKinds } from './access-row.ts'
import type { Kind, Sight } from './sight.ts'

type DecideInput = { question: AccessQuestion; timeZone: string; sight: Sight }

const daysShown = 7

/** The decision at a door with each check, the change that would make it pass, and the days ahead. */
export function decide(index: PolicyIndex, { question, timeZone, sight }: DecideInput): DecideAccess {
  const { door, direction, at, who } = question
  const [best, ...others] = explore(index, { question, sight })
  const { facts, decision, credential } = best
  const hidden = hideNames(decision.findings, sight)
  const person = facts.holder?._id ?? ('user' in who ? who.user : undefined)
  return {
    at: iso(at),
    siteTime: siteTime(at, timeZone),
    door: doorRow(index, { door, sight }),
    unit: door.unit === null ? null : sight.named('unit', door.unit),
    direction,
    person: person === undefined ? null : sight.named('user', person),
    credential: credential ? shownCredential(credential, sight) : null,
    number: 'number' in who ? who.number : null,
    verdict: decision.verdict,
    reason: decision.reason,
    findings: decision.findings.map((finding, step) => ({
      ...finding,
      facts: hidden[step]?.facts ?? {},
      ...explainFinding(finding, sight),
    })),
    others: others.flatMap((other) => (other.credential ? [otherAnswer(other.credential, { other, sight })] : [])),
    days: accessDays(facts, daysShown).map(({ date, from, until, open, holidays }) => ({
      date,
      from: iso(from),
      until: iso(until),
      open: open.map((span) => ({ from: iso(span.from), until: iso(span.until) })),
      holidays: holidays.map(({ _id }) => sight.named('holiday', _id)),
    })),
  }
}

/** A credential out of scope is treated as unknown, unless a rule refers to its user at this door. */
function explore(index: PolicyIndex, { question, sight }: Omit<DecideInput, 'timeZone'>) {
  const answers = exploreAccess(index, question)
  const [{ credential, facts }] = answers
  const isUnseen = credential !== undefined && !sight.sees('credential', credential._id)
  if (!isUnseen || facts.rules.allow.length + facts.rules.deny.length > 0) return answers
  return exploreAccess(index, { ...question, who: { number: '' } })
}

function shownCredential(credential: Credential, sight: Sight) {
  const { kind, status } = credential
  const { _id, name } = sight.named('credential', credential._id)
  return { _id, kind, number: name, status }
}

function otherAnswer(credential: Credential, { other, sight }: { other: ExploredAccess; sight: Sight }) {
  const { verdict, reason } = other.decision
  return { credential: shownCredential(credential, sight), verdict, reason }
}

function siteTime(at: number, timeZone: string) {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  return zoned.toPlainDateTime().toString({ smallestUnit: 'second' })
}

type Explanation = Pick<ExplainedFinding, 'things' | 'change'>
type Thing = ExplainedFinding['things'][number]

/** The items that a check looked at, and what would have to change for it to pass. */
function explainFinding(finding: Finding, sight: Sight): Explanation {
  const change = changeToOpen(finding)
  const of = change?.of ? thing(change.of.kind, { id: change.of._id, sight }) : null
  return {
    things: thingsOf(finding, sight),
    change: change && { code: change.code, of },
  }
}

function thingsOf({ step, facts }: Finding, sight: Sight): Thing[] {
  const found: Thing[] = []
  const add = (kind: Thing['kind'], ref: { _id: string } | undefined) => {
    if (ref) found.push(thing(kind, { id: ref._id, sight }))
  }
  add('door', facts.door)
  add('unit', facts.unit)
  add('credential', facts.credential)
  add('user', facts.holder)
  if (step !== 'deny_rule' && step !== 'allow_rule') return found
  add('rule', facts.rule)
  add('schedule', facts.schedule)
  add('holiday', facts.holiday)
  for (const other of facts.otherRules ?? []) add('rule', other.rule)
  return found
}

function thing(kind: Thing['kind'] & Kind, { id, sight }: { id: string; sight: Sight }): Thing {
  return { kind, ...sight.named(kind, id) }
}

/** Findings as the user may read them: items of an account above or out of scope come without id and name. */
function hideNames(findings: readonly Finding[], sight: Sight) {
  return findings.map(({ facts, ...finding }) => ({ ...finding, facts: hiddenFacts(facts, sight) }))
}

function hiddenFacts(facts: FindingFacts, sight: Sight): Record<string, unknown> {
  const { door, unit, holder, credential, otherRules } = facts
  return {
    ...facts,
    ...hiddenRule(facts, sight),
    ...(door ? { door: seenRef(door, { kind: 'door', sight }) } : {}),
    ...(unit ? { unit: seenRef(unit, { kind: 'unit', sight }) } : {}),
    ...(holder ? { holder: { ...seenRef(holder, { kind: 'user', sight }), status: holder.status } } : {}),
    ...(credential ? { credential: seenRef(credential, { kind: 'credential', sight }) } : {}),
    ...(otherRules ? { otherRules: otherRules.map((other) => ({ ...other, ...hiddenRule(other, sight) })) } : {}),
  }
}

function hiddenRule({ rule, schedule, holiday, via }: RuleFindingFacts, sight: Sight) {
  return {
    ...(rule ? { rule: seenRef(rule, { kind: 'rule', sight }) } : {}),
    ...(schedule ? { schedule: seenRef(schedule, { kind: 'schedule', sight }) } : {}),
    ...(holiday ? { holiday: seenRef(holiday, { kind: 'holiday', sight }) } : {}),
    ...(via
      ? {
          via: {
            who: seenRef(via.who, { kind: viaKinds[via.who.kind], sight }),
            where: seenRef(via.where, { kind: viaKinds[via.where.kind], sight }),
          },
        }
      : {}),
  }
}

type Seen = { kind: Kind; sight: Sight }

function seenRef<T extends Ref>(ref: T, { kind, sight }: Seen) {
  if (sight.sees(kind, ref._id)) return ref
  const { _id, name: _name, ...rest } = ref
  return { ...rest, isHidden: true }
}

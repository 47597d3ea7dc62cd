import type { DecideAccess, ExplainedFinding } from '@portcullis/contract/calls/explorer'
import { accessDays } from '@portcullis/domain/explore/access-days'
import { type AccessQuestion, exploreAccess, type Exploration } from '@portcullis/domain/explore/explore-access'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Credential } from '@portcullis/domain/policy'
import type { DoorConditions } from '@portcullis/domain/decision/access-facts'
import { changeToOpen } from '@portcullis/domain/explore/changes-to-open'
import type { Finding, FindingFacts, Ref, RuleFindingFacts } from '@portcullis/domain/decision/finding'
import { doorRow, iso, viaKinds } from './access-row.ts'
import type { Kind, Scope } from './scope.ts'

type DecideInput = { question: AccessQuestion; timeZone: string; scope: Scope }

const daysShown = 7
const maxOthers = 50

/**
 * The decision at a door with each check, the change that would make it pass, and the days ahead. In short steps.
 */
export function* decide(
  index: PolicyIndex,
  { question, timeZone, scope }: DecideInput,
): Generator<undefined, DecideAccess> {
  const { door, direction, at, who } = question
  const { best, others } = yield* explore(index, { question, scope })
  const { facts, decision, credential } = best
  const person = facts.holder?._id ?? ('user' in who ? who.user : undefined)
  return {
    at: iso(at),
    siteTime: siteTime(at, timeZone),
    door: doorRow(index, { door, scope }),
    unit: door.unit === null ? null : scope.named('unit', door.unit),
    direction,
    person: person === undefined ? null : scope.named('user', person),
    credential: credential ? shownCredential(credential, scope) : null,
    number: 'number' in who ? scope.presented(who.number) : null,
    verdict: decision.verdict,
    reason: decision.reason,
    findings: explainFindings(decision.findings, scope),
    ...otherAnswers(others, scope),
    days: accessDays(facts, daysShown).map(({ date, from, until, open, holidays }) => ({
      date,
      from: iso(from),
      until: iso(until),
      open: open.map((span) => ({ from: iso(span.from), until: iso(span.until) })),
      holidays: holidays.map(({ _id }) => scope.named('holiday', _id)),
    })),
  }
}

/** A credential out of scope is treated as unknown, unless a rule refers to its user at this door. */
function* explore(
  index: PolicyIndex,
  { question, scope }: Omit<DecideInput, 'timeZone'>,
): Generator<undefined, Exploration> {
  const answers = yield* exploreAccess(index, question)
  const { credential, facts } = answers.best
  const isUnseen = credential !== undefined && !scope.sees('credential', credential._id)
  if (!isUnseen || facts.rules.allow.length + facts.rules.deny.length > 0) return answers
  return yield* exploreAccess(index, { ...question, who: { number: '' } })
}

function shownCredential(credential: Credential, scope: Scope) {
  const { kind, status } = credential
  const { _id, name } = scope.named('credential', credential._id)
  return { _id, kind, number: name, status }
}

/** The first of the user's other credentials, and how many more there are. */
function otherAnswers(found: Exploration['others'], scope: Scope) {
  const others: DecideAccess['others'] = []
  let count = 0
  for (const { credentials, decision } of found) {
    count += credentials.length
    for (const credential of credentials.slice(0, maxOthers - others.length)) {
      const { verdict, reason, findings } = decision
      const noRoom = findings.some(({ facts }) => facts.leftOut)
      others.push({ credential: shownCredential(credential, scope), verdict, reason, noRoom })
    }
  }
  return { others, moreOthers: count - others.length }
}

function siteTime(at: number, timeZone: string) {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  return zoned.toPlainDateTime().toString({ smallestUnit: 'second' })
}

/** Findings as the user may read them, each with the items it is about and the change that would make it pass. */
export function explainFindings(findings: readonly Finding[], scope: Scope): ExplainedFinding[] {
  const hidden = hideNames(findings, scope)
  return findings.map((finding, step) => ({
    ...finding,
    facts: hidden[step]?.facts ?? {},
    ...explainFinding(finding, scope),
  }))
}

type Explanation = Pick<ExplainedFinding, 'things' | 'change'>
type Thing = ExplainedFinding['things'][number]

/** The items that a check read, and the changes that would make it pass. */
function explainFinding(finding: Finding, scope: Scope): Explanation {
  const change = changeToOpen(finding)
  const of = change?.of ? thing(change.of.kind, { id: change.of._id, scope }) : null
  return {
    things: thingsOf(finding, scope),
    change: change && { code: change.code, of },
  }
}

function thingsOf({ step, facts }: Finding, scope: Scope): Thing[] {
  const found: Thing[] = []
  const add = (kind: Thing['kind'], ref: { _id: string } | undefined) => {
    if (ref) found.push(thing(kind, { id: ref._id, scope }))
  }
  add('door', facts.door)
  add('unit', facts.unit)
  add('credential', facts.credential)
  add('user', facts.holder)
  if (step === 'mode') add('schedule', facts.schedule)
  if (step !== 'deny_rule' && step !== 'allow_rule') return found
  add('rule', facts.rule)
  add('schedule', facts.schedule)
  add('holiday', facts.holiday)
  for (const other of facts.otherRules ?? []) add('rule', other.rule)
  return found
}

function thing(kind: Thing['kind'] & Kind, { id, scope }: { id: string; scope: Scope }): Thing {
  return { kind, ...scope.named(kind, id) }
}

/** Findings as the user may read them: items of an account above or out of scope come without id and name. */
function hideNames(findings: readonly Finding[], scope: Scope) {
  return findings.map(({ facts, ...finding }) => ({ ...finding, facts: hiddenFacts(facts, scope) }))
}

function hiddenFacts(facts: FindingFacts, scope: Scope): Record<string, unknown> {
  const { door, unit, holder, credential, otherRules, mayPass, conditions } = facts
  const plain = plainFacts.flatMap((fact) => (facts[fact] === undefined ? [] : [[fact, facts[fact]] as const]))
  return {
    ...Object.fromEntries(plain),
    ...hiddenRule(facts, scope),
    ...(door ? { door: seenRef(door, { kind: 'door', scope }) } : {}),
    ...(unit ? { unit: seenRef(unit, { kind: 'unit', scope }) } : {}),
    ...(holder ? { holder: { ...seenRef(holder, { kind: 'user', scope }), status: holder.status } } : {}),
    ...(credential ? { credential: seenRef(credential, { kind: 'credential', scope }) } : {}),
    ...(otherRules ? { otherRules: otherRules.map((other) => ({ ...other, ...hiddenRule(other, scope) })) } : {}),
    ...(mayPass ? { mayPass: mayPass.map((group) => seenRef(group, { kind: 'userGroup', scope })) } : {}),
    ...(conditions ? { conditions: hiddenConditions(conditions, scope) } : {}),
  }
}

/** Facts that name no item that the door does not show; a fact in no list is not shown. */
const plainFacts = [
  'mode',
  'lockdowns',
  'validFrom',
  'validUntil',
  'recertifyBy',
  'state',
  'required',
  'pin',
  'secondPerson',
  'approval',
  'direction',
  'ruleDirection',
  'adhoc',
  'scheduleMissing',
  'leftOut',
  'timeZone',
  'closedSince',
  'opensAt',
  'openUntil',
] as const satisfies readonly (keyof FindingFacts)[]

function hiddenConditions({ interlock, areas, firstPersonGroup }: DoorConditions, scope: Scope) {
  return {
    ...(interlock ? { interlock: interlock.map((door) => seenRef(door, { kind: 'door', scope })) } : {}),
    ...(areas ? { areas: areas.map((area) => seenRef(area, { kind: 'doorGroup', scope })) } : {}),
    ...(firstPersonGroup ? { firstPersonGroup: seenRef(firstPersonGroup, { kind: 'userGroup', scope }) } : {}),
  }
}

function hiddenRule({ rule, schedule, holiday, via }: RuleFindingFacts, scope: Scope) {
  return {
    ...(rule ? { rule: seenRef(rule, { kind: 'rule', scope }) } : {}),
    ...(schedule ? { schedule: seenRef(schedule, { kind: 'schedule', scope }) } : {}),
    ...(holiday ? { holiday: seenRef(holiday, { kind: 'holiday', scope }) } : {}),
    ...(via
      ? {
          via: {
            who: seenRef(via.who, { kind: viaKinds[via.who.kind], scope }),
            where: seenRef(via.where, { kind: viaKinds[via.where.kind], scope }),
          },
        }
      : {}),
  }
}

type Seen = { kind: Kind; scope: Scope }

function seenRef<T extends Ref>(ref: T, { kind, scope }: Seen) {
  if (scope.sees(kind, ref._id)) return ref
  const { _id, name: _name, ...rest } = ref
  return { ...rest, isHidden: true }
}

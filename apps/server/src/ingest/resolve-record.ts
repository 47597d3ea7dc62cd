import { isSealedKind, maskOf } from '@portcullis/contract/sealed-numbers'
import { stateNotChecked } from '@portcullis/domain/decision/access-facts'
import type { Finding, FindingFacts, Ref, RuleFindingFacts } from '@portcullis/domain/decision/finding'
import type { Attempt, PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { isDeniedForRoom, type LeftOutOfUnit } from '@portcullis/domain/decision/left-out'
import type { CredentialKind } from '@portcullis/domain/policy'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import { resolveDecision } from '@portcullis/domain/decision/resolve-decision'
import type { RecordConfigs } from './configs-of-records.ts'
import type { AccessRecord, ExplainEarlier } from './earlier-configs.ts'
import type { OpenFrame } from './open-frame.ts'

export type ResolveRecordInput = {
  frame: OpenFrame
  configs: RecordConfigs
  /** The items for which the unit has no room. */
  leftOut: LeftOutOfUnit | undefined
  explain: ExplainEarlier
  record: AccessRecord
  occurredAt: string
}

/** What explains a unit's decision instead of the current policy alone: it has no room for an item, or it was out of sync. */
export type Mismatch = 'left_out' | 'out_of_step'

type Resolved = {
  user: string | null
  credential: string | null
  kind: CredentialKind
  /** The presented number, masked if it is a secret. */
  number: string
  reason: ReasonCode | null
  reasons: readonly Finding[]
  mismatch: Mismatch | null
}

/**
 * Explains a unit's decision with the server's complete data. A full unit does not know the items for which it has no room.
 * If the current policy decides otherwise, the unit's configuration at that time explains the decision. Only a unit that was
 * behind at that time was out of sync.
 */
export function resolveRecord({ frame, configs, leftOut, explain, record, occurredAt }: ResolveRecordInput): Resolved {
  const { index, unit, doors } = frame
  const { door, direction, verdict, reason } = record
  const at = Date.parse(occurredAt)
  const attempt = { unit, door: doors.get(door)?._id ?? '', ...presentedBy(record), direction, at }
  const shown = shownNumber(index, record)
  const resolve = (own: Attempt) => resolveDecision(index, { attempt: own, unitVerdict: verdict, unitReason: reason })
  const current = resolve(attempt)
  if (leftOut && verdict === 'deny' && configs.isLatest(record.configVersion)) {
    const onFullUnit = resolve({ ...attempt, leftOut })
    if (isDeniedForRoom({ reason, withRoom: current, onFullUnit })) {
      const { findings } = onFullUnit
      return { ...whoOf(findings), ...shown, reason, reasons: findings, mismatch: 'left_out' }
    }
  }
  if (current.outOfStep && configs.wasCurrent(record.configVersion, occurredAt)) {
    const findings = explain(record, at)
    if (findings) return { ...whoOf(findings), ...shown, reason, reasons: withNames(findings, index), mismatch: null }
  }
  const { reason: resolved, findings, outOfStep } = current
  const mismatch = outOfStep ? 'out_of_step' : null
  return { ...whoOf(findings), ...shown, reason: resolved, reasons: findings, mismatch }
}

type Presented = Pick<AccessRecord, 'kind' | 'number' | 'credential' | 'antiPassback'>

/** What the reader or the keypad read, and what the unit observed beyond its reason. */
export function presentedBy({ kind, number, credential, antiPassback }: Presented) {
  const state = antiPassback ? { state: { ...stateNotChecked, antipassback: antiPassback } } : {}
  if (kind !== 'pin') return { credentialNumber: number, ...state }
  return { isPinAlone: true, ...(credential === undefined ? {} : { credential }), ...state }
}

/**
 * Numbers of iButtons are guarded: the kind is iButton if any credential of that number is one, or the reader read one.
 * In the same way, a number is masked.
 */
function shownNumber({ credentialsByNumber }: PolicyIndex, { number, kind: read }: AccessRecord) {
  const storedKinds = (credentialsByNumber.get(number) ?? []).map(({ kind }) => kind)
  const kinds = [...storedKinds, read]
  const kind: CredentialKind = kinds.find((each) => each === 'iButton') ?? storedKinds[0] ?? read
  return { kind, number: kinds.some(isSealedKind) ? maskOf(number, kind) : number }
}

function whoOf(findings: readonly Finding[]) {
  const fact = <K extends 'credential' | 'holder'>(name: K) => findings.find(({ facts }) => facts[name])?.facts[name]
  return { credential: fact('credential')?._id ?? null, user: fact('holder')?._id ?? null }
}

/** Adds the current names to findings of a unit, which knows ids only. */
function withNames(findings: readonly Finding[], index: PolicyIndex): Finding[] {
  const { doors, membershipsOfUser, rules, schedules } = index
  const nameOf = (id: string) =>
    (doors.get(id) ?? membershipsOfUser.get(id)?.[0] ?? rules.get(id) ?? schedules.get(id))?.name
  return findings.map((finding) => ({ ...finding, facts: namedFacts(finding.facts, nameOf) }))
}

type NameOf = (id: string) => string | undefined

function namedFacts({ door, holder, otherRules, ...facts }: FindingFacts, nameOf: NameOf): FindingFacts {
  return {
    ...facts,
    ...namedRule(facts, nameOf),
    ...(door ? { door: namedRef(door, nameOf) } : {}),
    ...(holder ? { holder: namedRef(holder, nameOf) } : {}),
    ...(otherRules ? { otherRules: otherRules.map((other) => ({ ...other, ...namedRule(other, nameOf) })) } : {}),
  }
}

function namedRule({ rule, schedule }: RuleFindingFacts, nameOf: NameOf) {
  return {
    ...(rule ? { rule: namedRef(rule, nameOf) } : {}),
    ...(schedule ? { schedule: namedRef(schedule, nameOf) } : {}),
  }
}

function namedRef<T extends Ref>(ref: T, nameOf: NameOf): T {
  const name = nameOf(ref._id)
  return name === undefined ? ref : { ...ref, name }
}

import { unitConfig } from '@portcullis/contract/unit-protocol/unit-config'
import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import { isSealedKind, maskOf } from '@portcullis/contract/sealed-numbers'
import { credentialKey } from '@portcullis/controllers/credential-key'
import { decideOnUnit } from '@portcullis/domain/configuration/decide-on-unit'
import type { Finding, FindingFacts, Ref, RuleFindingFacts } from '@portcullis/domain/decision/finding'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import type { CredentialKind } from '@portcullis/domain/policy'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import { resolveDecision } from '@portcullis/domain/decision/resolve-decision'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import type { RecordConfigs } from './configs-of-records.ts'
import type { OpenFrame } from './open-frame.ts'

type AccessRecord = Extract<UnitRecord, { type: 'access' }>
type ResolveRecordInput = { frame: OpenFrame; configs: RecordConfigs; record: AccessRecord; occurredAt: string }

type Resolved = {
  user: string | null
  credential: string | null
  kind: CredentialKind
  /** The presented number, masked if it is a secret. */
  number: string
  reason: ReasonCode | null
  reasons: readonly Finding[]
  outOfStep: boolean
}

/**
 * Explains a unit's decision with the server's complete data. If the current policy decides otherwise, the unit's
 * configuration at that time explains the decision. Only a unit that was behind at that time was out of sync.
 */
export async function resolveRecord(
  tx: Transaction,
  { frame, configs, record, occurredAt }: ResolveRecordInput,
): Promise<Resolved> {
  const { index, unit, doors } = frame
  const { door, direction, number, verdict, reason } = record
  const at = Date.parse(occurredAt)
  const attempt = { unit, door: doors.get(door)?._id ?? '', credentialNumber: number, direction, at }
  const shown = shownNumber(index, record)
  const current = resolveDecision(index, { attempt, unitVerdict: verdict, unitReason: reason })
  if (current.outOfStep && configs.wasCurrent(record.configVersion, occurredAt)) {
    const findings = await findingsAtThatTime(tx, { unit, record, at })
    if (findings) return { ...whoOf(findings), ...shown, reason, reasons: withNames(findings, index), outOfStep: false }
  }
  const { reason: resolved, findings, outOfStep } = current
  return { ...whoOf(findings), ...shown, reason: resolved, reasons: findings, outOfStep }
}

/**
 * Numbers of iButtons are guarded: the kind is iButton if any credential of that number is one, or the reader read one.
 * In the same way, a number is masked.
 */
function shownNumber({ credentialsByNumber }: PolicyIndex, { number, kind: read }: AccessRecord) {
  const storedKinds = (credentialsByNumber.get(number) ?? []).map(({ kind }) => kind)
  const kinds = [...storedKinds, read]
  const kind: CredentialKind = kinds.find((each) => each === 'iButton') ?? storedKinds[0] ?? read
  return { kind, number: kinds.some(isSealedKind) ? maskOf(number) : number }
}

function whoOf(findings: readonly Finding[]) {
  const fact = <K extends 'credential' | 'holder'>(name: K) => findings.find(({ facts }) => facts[name])?.facts[name]
  return { credential: fact('credential')?._id ?? null, user: fact('holder')?._id ?? null }
}

const configRow = z.object({ body: z.instanceof(Buffer), secret: z.instanceof(Buffer) })

async function findingsAtThatTime(
  tx: Transaction,
  { unit, record, at }: { unit: string; record: AccessRecord; at: number },
) {
  const row = await tx.first(
    configRow,
    sql`select unit_config_body as body, unit_secret_secret as secret
          from unit_config join unit_secret on unit_secret_unit = unit_config_unit
         where unit_config_unit = ${unit} and unit_config_version = ${record.configVersion}`,
  )
  const config = row && unitConfig.safeParse(JSON.parse(row.body.toString())).data
  if (!config) return undefined
  const key = credentialKey(row.secret.toString('base64'), record.number)
  const attempt = { unitDoor: record.door, credentialKey: key, direction: record.direction, at }
  return decideOnUnit(config, attempt).findings
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

import type { Credential, Rule } from '../policy.ts'
import type { ReasonCode } from './reasons.ts'
import type { ResolvedDecision } from './resolve-decision.ts'

/** The items for which a unit has no room, by their ids. */
export type LeftOutOfUnit = {
  readonly doors: readonly string[]
  readonly schedules: readonly string[]
  /** The oldest credential that is left out: those created after it are, too. Null: all fit. */
  readonly oldestCredential: string | null
}

/** By unit; units with room for everything are missing. */
export type LeftOutByUnit = ReadonlyMap<string, LeftOutOfUnit>

export const nothingLeftOut: LeftOutByUnit = new Map()

export function isCredentialLeftOut(leftOut: LeftOutOfUnit | undefined, { _id }: Credential): boolean {
  const oldest = leftOut?.oldestCredential ?? null
  return oldest !== null && _id >= oldest
}

export function isScheduleLeftOut(leftOut: LeftOutOfUnit | undefined, { schedule }: Rule): boolean {
  return schedule !== null && leftOut !== undefined && leftOut.schedules.includes(schedule)
}

type Denial = {
  /** The reason that the unit reported. */
  readonly reason: ReasonCode | null
  /** By the whole policy. */
  readonly withRoom: ResolvedDecision
  /** By the policy without the items that are left out. */
  readonly onFullUnit: ResolvedDecision
}

/** Whether a unit denied because it has no room for an item. The whole policy may deny as well. */
export function isDeniedForRoom({ reason, withRoom, onFullUnit }: Denial): boolean {
  const { findings } = onFullUnit
  // The lack of room does not lead to this denial.
  if (onFullUnit.outOfStep || onFullUnit.reason !== reason) return false
  // The whole policy grants.
  if (withRoom.outOfStep) return true
  const deniesAnyway = findings.some((finding) => finding.reason && reasonsWithRoom.has(finding.reason))
  if (reason === 'credential_unknown' && deniesAnyway) return false
  return findings.some(({ facts, ...finding }) => finding.reason === reason && facts.leftOut)
}

/** With room for the credential, the unit denies for these reasons as well. */
const reasonsWithRoom = new Set<ReasonCode>(['holder_inactive', 'expired', 'no_access'])

import { type ApprovalOutcome, type PinOutcome, stateNotChecked } from './access-facts.ts'
import { decideAccess } from './decide-access.ts'
import { type Finding, present } from './finding.ts'
import { type Attempt, gatherFacts } from './gather-facts.ts'
import type { PolicyIndex } from './policy-index.ts'
import type { ReasonCode, Verdict } from './reasons.ts'

export type ResolveDecision = {
  readonly attempt: Attempt
  readonly unitVerdict: Verdict
  readonly unitReason: ReasonCode | null
}

export type ResolvedDecision = {
  /** `credential_lost` if a lost card was unknown to the unit; `unit_out_of_step` if this policy decides otherwise. */
  readonly reason: ReasonCode | null
  /** The findings of this policy. */
  readonly findings: readonly Finding[]
  readonly outOfStep: boolean
}

/**
 * Repeats a unit's decision with the server's data. Facts that only the unit could observe (PIN, second person, approval,
 * interlock, anti-passback, first person, the door's mode) come from the attempt, otherwise from the unit's reason.
 */
export function resolveDecision(index: PolicyIndex, { attempt, ...unit }: ResolveDecision): ResolvedDecision {
  const decision = decideAccess(gatherFacts(index, { ...observedBy(unit), ...present(attempt) }))
  const outOfStep = decision.verdict !== verdictOf(unit)
  return { reason: outOfStep ? 'unit_out_of_step' : decision.reason, findings: decision.findings, outOfStep }
}

export type UnitDecision = Omit<ResolveDecision, 'attempt'>

/** A unit that never received the PIN or the approval reports a plain denial. */
function verdictOf({ unitVerdict, unitReason }: UnitDecision): Verdict {
  if (unitReason === 'pin_required') return 'needs_pin'
  if (unitReason === 'second_person_required') return 'needs_second_person'
  return unitReason === 'remote_approval_required' ? 'needs_approval' : unitVerdict
}

type UnitObservation = Pick<Attempt, 'pin' | 'secondPerson' | 'approval' | 'state' | 'mode'>

/** The facts that only the unit could observe, as far as its decision shows them. */
export function observedBy({ unitVerdict, unitReason }: UnitDecision): UnitObservation {
  const passedPin: UnitObservation = { pin: 'valid' }
  const bothPersons: UnitObservation = { ...passedPin, secondPerson: 'present' }
  if (unitVerdict === 'grant') return { ...bothPersons, approval: 'granted' }
  switch (unitReason) {
    case 'door_locked_down':
      return { mode: 'lockdown' }
    case 'door_blocked':
      return { mode: 'blocked' }
    case 'interlock':
      return { state: { ...stateNotChecked, interlock: 'violated' } }
    case 'interlock_unavailable':
      return { state: { ...stateNotChecked, interlock: 'unavailable' } }
    case 'antipassback':
      return { state: { ...stateNotChecked, antipassback: 'violated' } }
    case 'first_person_absent':
      return { state: { ...stateNotChecked, firstPerson: 'violated' } }
    case 'pin_invalid':
    case 'pin_locked':
      return { pin: pinSeen[unitReason] }
    case 'second_person_required':
      return passedPin
    case 'second_person_absent':
      return { ...passedPin, secondPerson: 'absent' }
    case 'remote_approval_required':
      return bothPersons
    case 'remote_denied':
    case 'remote_timeout':
    case 'remote_unavailable':
      return { ...bothPersons, approval: approvalSeen[unitReason] }
    default:
      return {}
  }
}

const pinSeen = { pin_invalid: 'invalid', pin_locked: 'locked' } as const satisfies Record<string, PinOutcome>

const approvalSeen = {
  remote_denied: 'denied',
  remote_timeout: 'timeout',
  remote_unavailable: 'unavailable',
} as const satisfies Record<string, ApprovalOutcome>

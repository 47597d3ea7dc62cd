import type { ApprovalOutcome, PinOutcome } from './access-facts.ts'
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
 * Repeats a unit's decision with the server's data. Facts that only the unit could observe (PIN, approval, interlock,
 * anti-passback, the door's mode) come from the attempt, otherwise from the unit's reason.
 */
export function resolveDecision(index: PolicyIndex, { attempt, ...unit }: ResolveDecision): ResolvedDecision {
  const decision = decideAccess(gatherFacts(index, { ...observedBy(unit), ...present(attempt) }))
  const outOfStep = decision.verdict !== verdictOf(unit)
  return { reason: outOfStep ? 'unit_out_of_step' : decision.reason, findings: decision.findings, outOfStep }
}

type UnitDecision = Omit<ResolveDecision, 'attempt'>

/** A unit that never received the PIN or the approval reports a plain denial. */
function verdictOf({ unitVerdict, unitReason }: UnitDecision): Verdict {
  if (unitReason === 'pin_required') return 'needs_pin'
  return unitReason === 'remote_approval_required' ? 'needs_approval' : unitVerdict
}

type UnitObservation = Pick<Attempt, 'pin' | 'approval' | 'state' | 'mode'>

function observedBy({ unitVerdict, unitReason }: UnitDecision): UnitObservation {
  const passedPin: UnitObservation = { pin: 'valid' }
  if (unitVerdict === 'grant') return { ...passedPin, approval: 'granted' }
  switch (unitReason) {
    case 'door_locked_down':
      return { mode: 'lockdown' }
    case 'door_blocked':
      return { mode: 'blocked' }
    case 'interlock':
      return { state: { interlock: 'violated', antipassback: 'not_asked', firstPerson: 'not_asked' } }
    case 'antipassback':
      return { state: { interlock: 'not_asked', antipassback: 'violated', firstPerson: 'not_asked' } }
    case 'first_person_absent':
      return { state: { interlock: 'not_asked', antipassback: 'not_asked', firstPerson: 'violated' } }
    case 'pin_invalid':
    case 'pin_locked':
      return { pin: pinSeen[unitReason] }
    case 'remote_approval_required':
      return passedPin
    case 'remote_denied':
    case 'remote_timeout':
    case 'remote_unavailable':
      return { ...passedPin, approval: approvalSeen[unitReason] }
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

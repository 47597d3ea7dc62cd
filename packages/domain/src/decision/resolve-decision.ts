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
  /** Why, as the server knows it: a lost card is `credential_lost`. `unit_out_of_step` where this policy would have decided otherwise. */
  readonly reason: ReasonCode | null
  /** The findings of this policy. */
  readonly findings: readonly Finding[]
  readonly outOfStep: boolean
}

/**
 * Reads a unit's decision again with everything the server knows. What only the unit could see (PIN, approval, interlock,
 * passback, the mode that a door was in) is taken from the attempt, else from the unit's own reason.
 */
export function resolveDecision(index: PolicyIndex, { attempt, ...unit }: ResolveDecision): ResolvedDecision {
  const decision = decideAccess(gatherFacts(index, { ...witnessedBy(unit), ...present(attempt) }))
  const outOfStep = decision.verdict !== verdictOf(unit)
  return { reason: outOfStep ? 'unit_out_of_step' : decision.reason, findings: decision.findings, outOfStep }
}

type UnitDecision = Omit<ResolveDecision, 'attempt'>

/** A unit that got no PIN or no approval in the end reports a plain denial. */
function verdictOf({ unitVerdict, unitReason }: UnitDecision): Verdict {
  if (unitReason === 'pin_required') return 'needs_pin'
  return unitReason === 'remote_approval_required' ? 'needs_approval' : unitVerdict
}

type Witnessed = Pick<Attempt, 'pin' | 'approval' | 'state' | 'mode'>

function witnessedBy({ unitVerdict, unitReason }: UnitDecision): Witnessed {
  const passedPin: Witnessed = { pin: 'valid' }
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

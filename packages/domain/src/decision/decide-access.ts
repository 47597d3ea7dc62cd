import type { AccessFacts, PinOutcome } from './access-facts.ts'
import { type Finding, passed, present, refused, unasked } from './finding.ts'
import { holderFinding } from './holder-finding.ts'
import type { ReasonCode, Verdict } from './reasons.ts'
import { allowRuleFinding, denyRuleFinding } from './rule-findings.ts'
import type { CredentialStatus } from '../policy.ts'
import { validityRefusal } from '../time/validity.ts'

export type Decision = {
  readonly verdict: Verdict
  /** The reason of the first step that refuses; null when granted. */
  readonly reason: ReasonCode | null
  /** One for each step, in order. */
  readonly findings: readonly Finding[]
}

/**
 * Decides whether a cardholder may pass a door. Pure: the instant, the door's state and the matching rules are part of
 * the facts, so the server, a controller and a what-if question get the same answer from the same facts. Every step
 * whose inputs exist is evaluated, but PIN and approval only if all other steps pass. An unlocked door needs neither;
 * all other checks still apply, so that a stolen card is noticed.
 */
export function decideAccess(facts: AccessFacts): Decision {
  const checks = [
    doorFinding(facts),
    modeFinding(facts),
    credentialFinding(facts),
    holderFinding(facts),
    denyRuleFinding(facts),
    allowRuleFinding(facts),
    stateFinding(facts),
  ]
  const mayPass = firstRefusal(checks) === undefined
  const pin = mayPass ? pinFinding(facts) : unasked('pin')
  const approval = mayPass && pin.outcome === 'passed' ? approvalFinding(facts) : unasked('approval')
  const findings = [...checks, pin, approval]
  const reason = firstRefusal(findings)?.reason ?? null
  return { verdict: verdictOf(reason), reason, findings }
}

function verdictOf(reason: ReasonCode | null): Verdict {
  switch (reason) {
    case null:
      return 'grant'
    case 'pin_required':
      return 'needs_pin'
    case 'remote_approval_required':
      return 'needs_approval'
    default:
      return 'deny'
  }
}

function firstRefusal(findings: readonly Finding[]) {
  return findings.find((finding) => finding.outcome === 'refused')
}

function doorFinding({ door }: AccessFacts): Finding {
  if (door === undefined) return refused('door', 'door_unknown', {})
  const { _id, name, enabled, unitInService } = door
  const facts = present({ door: present({ _id, name }), unit: door.unit })
  if (!enabled) return refused('door', 'door_disabled', facts)
  return unitInService ? passed('door', facts) : refused('door', 'unit_out_of_service', facts)
}

function modeFinding({ door }: AccessFacts): Finding {
  if (door === undefined) return unasked('mode')
  const { mode } = door
  switch (mode) {
    case 'lockdown':
      return refused('mode', 'door_locked_down', { mode })
    case 'blocked':
      return refused('mode', 'door_blocked', { mode })
    case 'normal':
    case 'unlocked':
      return passed('mode', { mode })
  }
}

function stateFinding({ state }: AccessFacts): Finding {
  if (state.interlock === 'violated') return refused('state', 'interlock', { state })
  if (state.antipassback === 'violated') return refused('state', 'antipassback', { state })
  if (state.firstPerson === 'violated') return refused('state', 'first_person_absent', { state })
  const wasChecked = Object.values(state).includes('clear')
  return wasChecked ? passed('state', { state }) : unasked('state', { state })
}

const pinReasons = {
  not_presented: 'pin_required',
  invalid: 'pin_invalid',
  locked: 'pin_locked',
} as const satisfies Record<Exclude<PinOutcome, 'valid'>, ReasonCode>

function pinFinding({ door, pin }: AccessFacts): Finding {
  if (!door?.requiresPin || door.mode === 'unlocked') return passed('pin', { required: false })
  return pin === 'valid'
    ? passed('pin', { required: true, pin })
    : refused('pin', pinReasons[pin], { required: true, pin })
}

function approvalFinding({ door, approval }: AccessFacts): Finding {
  if (!door?.requiresRemoteAuth || door.mode === 'unlocked') return passed('approval', { required: false })
  const facts = { required: true, approval }
  switch (approval) {
    case 'granted':
      return passed('approval', facts)
    case 'not_requested':
      return refused('approval', 'remote_approval_required', facts)
    case 'denied':
      return refused('approval', 'remote_denied', facts)
    case 'timeout':
      return refused('approval', 'remote_timeout', facts)
    case 'unavailable':
      return refused('approval', 'remote_unavailable', facts)
  }
}

/** Step 3: known, assigned, its status, its validity. */
function credentialFinding({ door, credential, at }: AccessFacts): Finding {
  if (credential === undefined) {
    return door === undefined ? unasked('credential') : refused('credential', 'credential_unknown', {})
  }
  const { _id, kind, status, assigned, validFrom, validUntil } = credential
  const facts = present({
    credential: present({ _id, kind, status }),
    validFrom: validFrom ?? undefined,
    validUntil: validUntil ?? undefined,
  })
  const reason = assigned ? (statusReasons[status] ?? validityRefusal(credential, at)) : 'credential_unassigned'
  return reason === null ? passed('credential', facts) : refused('credential', reason, facts)
}

const statusReasons = {
  active: null,
  suspended: 'credential_suspended',
  lost: 'credential_lost',
  stolen: 'credential_stolen',
  revoked: 'credential_revoked',
} as const satisfies Record<CredentialStatus, ReasonCode | null>

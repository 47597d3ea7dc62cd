import type { AccessFacts, CredentialFacts, PinOutcome } from './access-facts.ts'
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
 * whose inputs exist is evaluated, but PIN, second person and approval only if all steps before them pass. An unlocked
 * door needs none of them and of the state checks only the interlock; all other checks still apply, so that a stolen card
 * is noticed.
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
  const findings = [...checks]
  for (const { step, findingOf } of lastSteps) {
    findings.push(firstRefusal(findings) === undefined ? findingOf(facts) : unasked(step))
  }
  const reason = firstRefusal(findings)?.reason ?? null
  return { verdict: verdictOf(reason), reason, findings }
}

function verdictOf(reason: ReasonCode | null): Verdict {
  switch (reason) {
    case null:
      return 'grant'
    case 'pin_required':
      return 'needs_pin'
    case 'second_person_required':
      return 'needs_second_person'
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

function stateFinding({ door, state }: AccessFacts): Finding {
  const facts = present({ state, conditions: door?.conditions })
  if (state.interlock === 'violated') return refused('state', 'interlock', facts)
  if (door?.mode === 'unlocked') return unasked('state', facts)
  if (state.antipassback === 'violated') return refused('state', 'antipassback', facts)
  if (state.firstPerson === 'violated') return refused('state', 'first_person_absent', facts)
  const wasChecked = Object.values(state).some((outcome) => outcome !== 'not_asked')
  return wasChecked ? passed('state', facts) : unasked('state', facts)
}

/** The steps that need something of the cardholder, who is asked only after all other steps have passed. */
const lastSteps = [
  { step: 'pin', findingOf: pinFinding },
  { step: 'second_person', findingOf: secondPersonFinding },
  { step: 'approval', findingOf: approvalFinding },
] as const

const pinReasons = {
  not_presented: 'pin_required',
  invalid: 'pin_invalid',
  locked: 'pin_locked',
} as const satisfies Record<Exclude<PinOutcome, 'valid'>, ReasonCode>

function pinFinding({ door, credential, pin }: AccessFacts): Finding {
  if (credential?.kind === 'pin') return passed('pin', { required: true, pin: 'valid' })
  if (!door?.requiresPin || door.mode === 'unlocked') return passed('pin', { required: false })
  return pin === 'valid'
    ? passed('pin', { required: true, pin })
    : refused('pin', pinReasons[pin], { required: true, pin })
}

function secondPersonFinding({ door, secondPerson }: AccessFacts): Finding {
  if (!door?.requiresTwoPersons || door.mode === 'unlocked') return passed('second_person', { required: false })
  const facts = { required: true, secondPerson }
  switch (secondPerson) {
    case 'present':
      return passed('second_person', facts)
    case 'not_presented':
      return refused('second_person', 'second_person_required', facts)
    case 'absent':
      return refused('second_person', 'second_person_absent', facts)
  }
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

/** Step 3: known, accepted here, assigned, its status, its validity. */
function credentialFinding({ door, credential, isPinAlone, pin, at }: AccessFacts): Finding {
  if (credential === undefined) {
    if (door === undefined) return unasked('credential')
    const unknown = isPinAlone ? pinReasons[pin === 'locked' ? pin : 'invalid'] : 'credential_unknown'
    return refused('credential', unknown, {})
  }
  const { kind, status, assigned } = credential
  const facts = presentedFacts(credential)
  if (kind === 'pin' && door !== undefined && !door.acceptsPinAlone)
    return refused('credential', 'card_required', facts)
  const reason = assigned ? (statusReasons[status] ?? validityRefusal(credential, at)) : 'credential_unassigned'
  return reason === null ? passed('credential', facts) : refused('credential', reason, facts)
}

function presentedFacts({ _id, kind, status, validFrom, validUntil }: CredentialFacts) {
  return present({
    credential: present({ _id, kind, status }),
    validFrom: validFrom ?? undefined,
    validUntil: validUntil ?? undefined,
  })
}

const statusReasons = {
  active: null,
  suspended: 'credential_suspended',
  lost: 'credential_lost',
  stolen: 'credential_stolen',
  revoked: 'credential_revoked',
} as const satisfies Record<CredentialStatus, ReasonCode | null>

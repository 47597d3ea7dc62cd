import {
  type AccessFacts,
  type CredentialFacts,
  type DoorStateFacts,
  type PinOutcome,
  stateNotChecked,
} from './access-facts.ts'
import { type Finding, type FindingFacts, passed, present, ref, refused, unasked } from './finding.ts'
import { holderFinding } from './holder-finding.ts'
import type { ReasonCode, Verdict } from './reasons.ts'
import { allowRuleFinding, denyRuleFinding } from './rule-findings.ts'
import type { CredentialStatus, DoorMode } from '../policy.ts'
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
  const findings = [
    doorFinding(facts),
    modeFinding(facts),
    credentialFinding(facts),
    holderFinding(facts),
    denyRuleFinding(facts),
    allowRuleFinding(facts),
    stateFinding(facts),
  ]
  let reason = firstReason(findings)
  for (const { findingOf, notAsked } of lastSteps) {
    const finding = reason === null ? findingOf(facts) : notAsked
    findings.push(finding)
    reason ??= finding.reason ?? null
  }
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

function firstReason(findings: readonly Finding[]): ReasonCode | null {
  for (const { reason } of findings) if (reason !== undefined) return reason
  return null
}

// Findings that do not depend on the attempt are made once: a decision is made up of few new objects.

const notAsked = {
  mode: unasked('mode'),
  credential: unasked('credential'),
  pin: unasked('pin'),
  second_person: unasked('second_person'),
  approval: unasked('approval'),
  state: unasked('state', { state: stateNotChecked }),
} as const

const notRequired = {
  pin: passed('pin', { required: false }),
  second_person: passed('second_person', { required: false }),
  approval: passed('approval', { required: false }),
} as const

function doorFinding({ door, leftOut }: AccessFacts): Finding {
  if (door === undefined) return refused('door', 'door_unknown', {})
  const { enabled, unitInService, unit } = door
  const facts = unit === undefined ? { door: ref(door) } : { door: ref(door), unit }
  if (!enabled) return refused('door', 'door_disabled', facts)
  if (leftOut?.door) return refused('door', 'door_unknown', { ...facts, leftOut: true })
  return unitInService ? passed('door', facts) : refused('door', 'unit_out_of_service', facts)
}

const modeFindings = {
  normal: passed('mode', { mode: 'normal' }),
  unlocked: passed('mode', { mode: 'unlocked' }),
  blocked: refused('mode', 'door_blocked', { mode: 'blocked' }),
  lockdown: refused('mode', 'door_locked_down', { mode: 'lockdown' }),
} as const satisfies Record<DoorMode, Finding>

function modeFinding({ door, unlockedBy, passGroups: mayPass }: AccessFacts): Finding {
  if (door === undefined) return notAsked.mode
  if (unlockedBy !== undefined) return passed('mode', { mode: door.mode, ...unlockedBy })
  const { mode, lockdowns } = door
  if (mode === 'lockdown' && mayPass !== undefined) return passed('mode', present({ mode, lockdowns, mayPass }))
  return lockdowns === undefined ? modeFindings[mode] : refused('mode', 'door_locked_down', { mode, lockdowns })
}

function stateFinding({ door, state }: AccessFacts): Finding {
  const conditions = door?.conditions
  if (state === stateNotChecked && conditions === undefined) return notAsked.state
  const facts = conditions === undefined ? { state } : { state, conditions }
  if (state.interlock === 'violated') return refused('state', 'interlock', facts)
  if (state.interlock === 'unavailable') return refused('state', 'interlock_unavailable', facts)
  if (door?.mode === 'unlocked') return unasked('state', facts)
  if (state.antipassback === 'violated') return refused('state', 'antipassback', facts)
  if (state.firstPerson === 'violated') return refused('state', 'first_person_absent', facts)
  return wasChecked(state) ? passed('state', facts) : unasked('state', facts)
}

function wasChecked({ interlock, antipassback, firstPerson }: DoorStateFacts) {
  return interlock !== 'not_asked' || antipassback !== 'not_asked' || firstPerson !== 'not_asked'
}

/** The steps that need something of the cardholder, who is asked only after all other steps have passed. */
const lastSteps = [
  { findingOf: pinFinding, notAsked: notAsked.pin },
  { findingOf: secondPersonFinding, notAsked: notAsked.second_person },
  { findingOf: approvalFinding, notAsked: notAsked.approval },
] as const

const pinReasons = {
  not_presented: 'pin_required',
  invalid: 'pin_invalid',
  locked: 'pin_locked',
} as const satisfies Record<Exclude<PinOutcome, 'valid'>, ReasonCode>

function pinFinding({ door, credential, pin }: AccessFacts): Finding {
  if (credential?.kind === 'pin') return passed('pin', { required: true, pin: 'valid' })
  if (!door?.requiresPin || door.mode === 'unlocked') return notRequired.pin
  return pin === 'valid'
    ? passed('pin', { required: true, pin })
    : refused('pin', pinReasons[pin], { required: true, pin })
}

function secondPersonFinding({ door, secondPerson }: AccessFacts): Finding {
  if (!door?.requiresTwoPersons || door.mode === 'unlocked') return notRequired.second_person
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
  if (!door?.requiresRemoteAuth || door.mode === 'unlocked') return notRequired.approval
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
function credentialFinding({ door, credential, isPinAlone, pin, at, leftOut }: AccessFacts): Finding {
  if (credential === undefined) {
    if (door === undefined) return notAsked.credential
    const unknown = isPinAlone ? pinReasons[pin === 'locked' ? pin : 'invalid'] : 'credential_unknown'
    return refused('credential', unknown, {})
  }
  const { kind, status, assigned } = credential
  const facts = presentedFacts(credential)
  if (kind === 'pin' && door !== undefined && !door.acceptsPinAlone)
    return refused('credential', 'card_required', facts)
  const reason = assigned ? (statusReasons[status] ?? validityRefusal(credential, at)) : 'credential_unassigned'
  if (reason !== null) return refused('credential', reason, facts)
  return roomFinding(facts, leftOut)
}

function roomFinding(facts: FindingFacts, leftOut: AccessFacts['leftOut']): Finding {
  if (!leftOut?.credential) return passed('credential', facts)
  return refused('credential', 'credential_unknown', { ...facts, leftOut: true })
}

function presentedFacts({ _id, kind, status, validFrom, validUntil }: CredentialFacts): FindingFacts {
  const credential = kind === undefined ? { _id, status } : { _id, kind, status }
  if (validFrom === null && validUntil === null) return { credential }
  return present({
    credential,
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

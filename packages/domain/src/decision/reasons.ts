/** The reasons to deny access, in the order of the checks. */
export const reasonCodes = [
  'door_unknown',
  'door_disabled',
  'unit_out_of_service',
  'door_locked_down',
  'door_blocked',
  'credential_unknown',
  'card_required',
  'credential_unassigned',
  'credential_suspended',
  'credential_lost',
  'credential_stolen',
  'credential_revoked',
  'not_yet_valid',
  'expired',
  'holder_inactive',
  'recertification_overdue',
  'denied_by_rule',
  'no_access',
  'outside_schedule',
  'holiday_closed',
  'adhoc_not_started',
  'adhoc_ended',
  'interlock',
  'interlock_unavailable',
  'antipassback',
  'first_person_absent',
  'pin_required',
  'pin_invalid',
  'pin_locked',
  'second_person_required',
  'second_person_absent',
  'remote_approval_required',
  'remote_denied',
  'remote_timeout',
  'remote_unavailable',
  'unit_out_of_step',
] as const

export type ReasonCode = (typeof reasonCodes)[number]

/** The steps of a decision; each gives one finding, in this order. */
export const decisionSteps = [
  'door',
  'mode',
  'credential',
  'holder',
  'deny_rule',
  'allow_rule',
  'state',
  'pin',
  'second_person',
  'approval',
] as const

/** The reasons for which a step refuses. `unit_out_of_step` compares two decisions and belongs to no step. */
export const reasonsOfStep = {
  door: ['door_unknown', 'door_disabled', 'unit_out_of_service'],
  mode: ['door_locked_down', 'door_blocked'],
  credential: [
    'credential_unknown',
    'card_required',
    'pin_invalid',
    'pin_locked',
    'credential_unassigned',
    'credential_suspended',
    'credential_lost',
    'credential_stolen',
    'credential_revoked',
    'not_yet_valid',
    'expired',
  ],
  holder: ['holder_inactive', 'not_yet_valid', 'expired', 'recertification_overdue'],
  deny_rule: ['denied_by_rule'],
  allow_rule: ['no_access', 'outside_schedule', 'holiday_closed', 'adhoc_not_started', 'adhoc_ended'],
  state: ['interlock', 'interlock_unavailable', 'antipassback', 'first_person_absent'],
  pin: ['pin_required', 'pin_invalid', 'pin_locked'],
  second_person: ['second_person_required', 'second_person_absent'],
  approval: ['remote_approval_required', 'remote_denied', 'remote_timeout', 'remote_unavailable'],
} as const satisfies Record<(typeof decisionSteps)[number], readonly ReasonCode[]>

export type DecisionStep = (typeof decisionSteps)[number]

export const verdicts = ['grant', 'deny', 'needs_pin', 'needs_second_person', 'needs_approval'] as const

export type Verdict = (typeof verdicts)[number]

export const findingOutcomes = ['passed', 'refused', 'not_asked'] as const

export type FindingOutcome = (typeof findingOutcomes)[number]

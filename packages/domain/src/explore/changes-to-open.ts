import type { Finding, FindingFacts } from '../decision/finding.ts'

/** The changes that make a step of a decision pass. */
export const changeCodes = [
  'choose_door',
  'make_room_for_door',
  'enable_door',
  'wire_door',
  'return_unit_to_service',
  'end_lockdown',
  'return_door_to_schedule',
  'add_credential',
  'make_room_for_credential',
  'present_card',
  'assign_credential',
  'activate_credential',
  'replace_credential',
  'start_credential_earlier',
  'extend_credential',
  'activate_person',
  'start_person_earlier',
  'extend_person',
  'recertify_person',
  'lift_deny_rule',
  'add_rule',
  'widen_direction',
  'restore_schedule',
  'make_room_for_schedule',
  'widen_schedule',
  'give_holiday_hours',
  'start_adhoc_earlier',
  'extend_adhoc',
  'close_other_door',
  'reconnect_unit',
  'pass_other_side_first',
  'let_first_person_in',
  'enter_pin',
  'unlock_pin',
  'bring_second_person',
  'ask_for_approval',
] as const

export type ChangeCode = (typeof changeCodes)[number]

/** The item to change, by its id and, if known, its name. */
export type ChangedThing = {
  readonly kind: 'door' | 'unit' | 'credential' | 'user' | 'rule' | 'schedule'
  readonly _id: string
  readonly name?: string
}

/** The change for one refusal; the door opens only after all of them. */
export type ChangeToOpen = { readonly code: ChangeCode; readonly of: ChangedThing | null }

/** The change that makes this finding pass; null if it passes or no change helps. */
export function changeToOpen(finding: Finding): ChangeToOpen | null {
  if (finding.outcome !== 'refused') return null
  const { facts } = finding
  if (facts.leftOut && opensWithRoom(finding)) return change(roomFor(finding), null)
  const isOfHolder = finding.step === 'holder'
  switch (finding.reason) {
    case 'door_unknown':
      return change('choose_door', null)
    case 'door_disabled':
      return change('enable_door', thing('door', facts.door))
    case 'unit_out_of_service':
      return facts.unit
        ? change('return_unit_to_service', thing('unit', facts.unit))
        : change('wire_door', thing('door', facts.door))
    case 'door_locked_down':
      return change('end_lockdown', null)
    case 'door_blocked':
      return change('return_door_to_schedule', null)
    case 'credential_unknown':
      return change('add_credential', null)
    case 'card_required':
      return change('present_card', null)
    case 'credential_unassigned':
      return change('assign_credential', thing('credential', facts.credential))
    case 'credential_suspended':
      return change('activate_credential', thing('credential', facts.credential))
    case 'credential_lost':
    case 'credential_stolen':
    case 'credential_revoked':
      return change('replace_credential', thing('credential', facts.credential))
    case 'not_yet_valid':
      return isOfHolder
        ? change('start_person_earlier', thing('user', facts.holder))
        : change('start_credential_earlier', thing('credential', facts.credential))
    case 'expired':
      return isOfHolder
        ? change('extend_person', thing('user', facts.holder))
        : change('extend_credential', thing('credential', facts.credential))
    case 'holder_inactive':
      return change('activate_person', thing('user', facts.holder))
    case 'recertification_overdue':
      return change('recertify_person', thing('user', facts.holder))
    case 'denied_by_rule':
      return change('lift_deny_rule', thing('rule', facts.rule))
    case 'no_access':
      return facts.rule ? change('widen_direction', thing('rule', facts.rule)) : change('add_rule', null)
    case 'outside_schedule':
      return outsideSchedule(facts)
    case 'holiday_closed':
      return change('give_holiday_hours', thing('schedule', facts.schedule))
    case 'adhoc_not_started':
      return change('start_adhoc_earlier', thing('rule', facts.rule))
    case 'adhoc_ended':
      return change('extend_adhoc', thing('rule', facts.rule))
    case 'interlock':
      return change('close_other_door', null)
    case 'interlock_unavailable':
      return change('reconnect_unit', facts.unit ? thing('unit', facts.unit) : null)
    case 'antipassback':
      return change('pass_other_side_first', null)
    case 'first_person_absent':
      return change('let_first_person_in', null)
    case 'pin_required':
    case 'pin_invalid':
      return change('enter_pin', null)
    case 'pin_locked':
      return change('unlock_pin', null)
    case 'second_person_required':
    case 'second_person_absent':
      return change('bring_second_person', null)
    case 'remote_approval_required':
    case 'remote_denied':
    case 'remote_timeout':
    case 'remote_unavailable':
      return change('ask_for_approval', null)
    case 'unit_out_of_step':
    case undefined:
      return null
  }
}

/** A rule for another direction grants no access with room either, and during its hours a deny rule denies access. */
function opensWithRoom({ reason }: Finding) {
  return reason !== 'no_access' && reason !== 'denied_by_rule'
}

function roomFor({ step }: Finding): ChangeCode {
  if (step === 'door') return 'make_room_for_door'
  return step === 'credential' ? 'make_room_for_credential' : 'make_room_for_schedule'
}

function outsideSchedule(facts: FindingFacts): ChangeToOpen {
  return facts.scheduleMissing
    ? change('restore_schedule', thing('rule', facts.rule))
    : change('widen_schedule', thing('schedule', facts.schedule))
}

function change(code: ChangeCode, of: ChangedThing | null): ChangeToOpen {
  return { code, of }
}

function thing(
  kind: ChangedThing['kind'],
  ref: { readonly _id: string; readonly name?: string } | undefined,
): ChangedThing | null {
  if (ref === undefined) return null
  const { _id, name } = ref
  return { kind, _id, ...(name === undefined ? {} : { name }) }
}

import type { ExplainedFinding, Named } from '@portcullis/contract/calls/explorer'
import { type ChangeCode, changeToOpen } from '@portcullis/domain/explore/changes-to-open'
import type { Finding } from '@portcullis/domain/decision/finding'
import type { ReasonCode } from '@portcullis/domain/decision/reasons'
import type { Kind, Sight } from './sight.ts'

type Told = Pick<ExplainedFinding, 'sentence' | 'things' | 'change'>
type Thing = ExplainedFinding['things'][number]

/** A check in a sentence, with the things that it looked at and what would have to change for it to pass. */
export function tellFinding(finding: Finding, sight: Sight): Told {
  const change = changeToOpen(finding)
  const of = change?.of ? thing(change.of.kind, { id: change.of._id, sight }) : null
  return {
    sentence: sentenceOf(finding, sight),
    things: thingsOf(finding, sight),
    change: change && { code: change.code, of, sentence: changes[change.code] },
  }
}

function sentenceOf(finding: Finding, sight: Sight): string {
  const { step, outcome, reason } = finding
  if (outcome === 'not_asked') return notAsked[step]
  const rule = ruleWords(finding, sight)
  if (outcome === 'passed') return step === 'allow_rule' ? `${rule} lets them pass.` : passed[step]
  if (reason === 'no_access' && finding.facts.rule) return `${rule} is for the other direction only.`
  return reason === undefined ? 'It is refused.' : refused[reason](rule)
}

function thingsOf({ step, facts }: Finding, sight: Sight): Thing[] {
  const found: Thing[] = []
  const add = (kind: Thing['kind'], ref: { _id: string } | undefined) => {
    if (ref) found.push(thing(kind, { id: ref._id, sight }))
  }
  add('door', facts.door)
  add('unit', facts.unit)
  add('credential', facts.credential)
  add('user', facts.holder)
  if (step !== 'deny_rule' && step !== 'allow_rule') return found
  add('rule', facts.rule)
  add('schedule', facts.schedule)
  add('holiday', facts.holiday)
  for (const other of facts.otherRules ?? []) add('rule', other.rule)
  return found
}

function thing(kind: Thing['kind'] & Kind, { id, sight }: { id: string; sight: Sight }): Thing {
  return { kind, ...sight.named(kind, id) }
}

function ruleWords({ facts }: Finding, sight: Sight) {
  const { name }: Named = facts.rule ? sight.named('rule', facts.rule._id) : { _id: null, name: null }
  return name === null ? 'A rule of an account above' : `The rule ${name}`
}

const notAsked: Record<Finding['step'], string> = {
  door: 'The door was not asked for.',
  mode: 'The mode of the door was not asked.',
  credential: 'The credential was not asked.',
  holder: 'There was no person to ask about.',
  deny_rule: 'Rules that deny were not asked.',
  allow_rule: 'Rules that allow were not asked.',
  state: 'Interlock and passback depend on the moment and were not asked.',
  pin: 'No PIN is asked of somebody who may not pass.',
  approval: 'No approval is asked for somebody who may not pass yet.',
}

const passed: Record<Exclude<Finding['step'], 'allow_rule'>, string> = {
  door: 'The door is in service.',
  mode: 'The mode of the door lets people pass.',
  credential: 'The credential is known and active.',
  holder: 'The person is active.',
  deny_rule: 'No rule that denies is in force.',
  state: 'Interlock and passback are clear.',
  pin: 'No PIN is missing.',
  approval: 'No approval is missing.',
}

const refused: Record<ReasonCode, (rule: string) => string> = {
  door_unknown: () => 'The door is not known.',
  door_disabled: () => 'The door is disabled.',
  unit_out_of_service: () => 'No controller in service works this door.',
  door_locked_down: () => 'The door is locked down.',
  door_blocked: () => 'The door is blocked.',
  credential_unknown: () => 'No credential that is known was presented.',
  credential_unassigned: () => 'The credential belongs to nobody.',
  credential_suspended: () => 'The credential is suspended.',
  credential_lost: () => 'The credential is reported lost.',
  credential_stolen: () => 'The credential is reported stolen.',
  credential_revoked: () => 'The credential is revoked.',
  not_yet_valid: () => 'It is not valid yet.',
  expired: () => 'It is no longer valid.',
  holder_inactive: () => 'The person is suspended.',
  recertification_overdue: () => 'The recertification of the person is overdue.',
  denied_by_rule: (rule) => `${rule} denies it.`,
  no_access: () => 'No rule names this person and this door.',
  outside_schedule: (rule) => `${rule} names both, but not at this time.`,
  holiday_closed: (rule) => `${rule} names both, but its schedule is closed for a holiday.`,
  adhoc_not_started: (rule) => `${rule} begins later.`,
  adhoc_ended: (rule) => `${rule} has ended.`,
  interlock: () => 'Another door of the interlock is open.',
  antipassback: () => 'The person is on that side already.',
  first_person_absent: () => 'The first person has not come in yet.',
  pin_required: () => 'A PIN has to be entered.',
  pin_invalid: () => 'The PIN is wrong.',
  pin_locked: () => 'The PIN is locked after too many wrong ones.',
  remote_approval_required: () => 'An operator has to approve.',
  remote_denied: () => 'An operator denied it.',
  remote_timeout: () => 'Nobody approved in time.',
  remote_unavailable: () => 'Nobody could be asked to approve.',
  unit_out_of_step: () => 'The controller is behind the policy.',
}

const changes: Record<ChangeCode, string> = {
  choose_door: 'Choose a door that exists.',
  enable_door: 'Put the door into use.',
  wire_door: 'Wire the door to a controller.',
  return_unit_to_service: 'Return the controller to service.',
  end_lockdown: 'End the lockdown.',
  return_door_to_schedule: 'Return the door to its schedule.',
  add_credential: 'Add a credential for the person.',
  assign_credential: 'Give the credential to a person.',
  activate_credential: 'Make the credential active again.',
  replace_credential: 'Give the person another credential.',
  start_credential_earlier: 'Let the credential be valid earlier.',
  extend_credential: 'Extend the credential.',
  activate_person: 'Make the person active again.',
  start_person_earlier: 'Let the person be valid earlier.',
  extend_person: 'Extend the person.',
  recertify_person: 'Recertify the person.',
  lift_deny_rule: 'Take the person out of the rule that denies, or disable it.',
  add_rule: 'Add a rule that names both, or the person to a group that one names.',
  widen_direction: 'Let the rule hold in this direction too.',
  restore_schedule: 'Give the rule a schedule that exists.',
  widen_schedule: 'Widen the hours of the schedule, or wait until it opens.',
  give_holiday_hours: 'Give the schedule hours on this kind of holiday, or wait until it is over.',
  start_adhoc_earlier: 'Let the rule begin earlier.',
  extend_adhoc: 'Let the rule end later.',
  close_other_door: 'Close the other door of the interlock.',
  pass_other_side_first: 'Let the person go out first.',
  let_first_person_in: 'Let the first person in.',
  enter_pin: 'Enter the PIN.',
  unlock_pin: 'Unlock the PIN.',
  ask_for_approval: 'Ask an operator to approve.',
}

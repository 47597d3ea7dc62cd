import { reasonWords } from '../packages/contract/src/reason-words.ts'
import { limits } from '../packages/contract/src/unit-protocol/frames.ts'
import {
  type DecisionStep,
  decisionSteps,
  type ReasonCode,
  reasonsOfStep,
} from '../packages/domain/src/decision/reasons.ts'

const introduction = `# How a door decides

Written by \`npm run decision-table\` from the code. Do not edit it by hand.

The controller at the door decides by itself, from the configuration that it has stored. It makes the checks below in this order, and
goes on after one that refuses; only users who may pass are asked for a PIN, a second person or approval. An event lists the results. The
first check that refuses gives the reason. The server repeats the decision with its complete data when it receives the event, so the reason
in the console can be more exact: a lost card is unknown to a controller, and "Credential lost" in the console.`

const steps: Readonly<Record<DecisionStep, { title: string; text: string }>> = {
  door: { title: 'Door and controller', text: 'The door exists, is enabled, and its controller is enabled.' },
  mode: {
    title: 'Door mode',
    text: `A lockdown or a block denies all access; a lockdown does not deny it to users whom all lockdowns of the door let pass. An unlocked door makes only the checks 1 to 6, so that a stolen card is noticed, and that of its
interlock.`,
  },
  credential: {
    title: 'Credential',
    text: 'The card, iButton, QR code or phone, or a PIN where the door opens with a PIN alone.',
  },
  holder: { title: 'User', text: 'The user who holds the credential.' },
  deny_rule: {
    title: 'Deny rules',
    text: 'A deny rule overrides every allow rule. One whose schedule is missing denies at all times.',
  },
  allow_rule: { title: 'Allow rules', text: 'One allow rule with open hours is enough.' },
  state: {
    title: 'State of doors and users',
    text: `The controller knows its own doors and who has passed them, and keeps this through a power cut. A user has passed when the door opens after a
grant, or with the grant if it is open. Until the door opens or locks again, the grant counts for anti-passback. The server adds who has passed
the doors of other controllers that lead into the same areas. A controller that cannot reach the server decides by what it knows. A user
without a known passage may enter and leave. Request to exit and fire release always open the door.`,
  },
  pin: {
    title: 'PIN',
    text: `Asked only of users who may pass. A duress PIN opens the door in the same way and raises a silent alarm, also where the door stays closed
for another reason.`,
  },
  second_person: { title: 'Second person', text: 'Both users must pass all checks before this one.' },
  approval: { title: 'Approval', text: 'An operator grants or denies the request.' },
}

type Explained = { why: string; action: string }

/** The event then has the note `left_out`. */
const makeRoom =
  'If the event says that the controller has no room, replace the controller with a larger one, or give it fewer items.'

const reasons: Readonly<Record<ReasonCode, Explained>> = {
  door_unknown: {
    why: 'No door is wired to this number, or the controller has no room for it.',
    action: `Wire the door to the controller and number. ${makeRoom}`,
  },
  door_disabled: { why: 'The door is disabled.', action: 'Enable the door.' },
  unit_out_of_service: {
    why: 'The controller is disabled, or the door has none.',
    action: 'Enable the controller, or wire the door.',
  },
  door_locked_down: { why: 'The door is locked down.', action: 'Return the door to its schedule.' },
  door_blocked: {
    why: 'The door is blocked.',
    action: 'Return the door to its schedule, or wait until the block ends.',
  },
  credential_unknown: {
    why: 'No credential has this number, or the controller has no room for it.',
    action: `Add the credential to a user. ${makeRoom}`,
  },
  card_required: {
    why: 'A PIN was entered without a card, and this door needs a card.',
    action: 'Present the card first, or turn on "Opens with a PIN alone".',
  },
  credential_unassigned: { why: 'No user holds the credential.', action: 'Assign it to a user.' },
  credential_suspended: { why: 'The credential is suspended.', action: 'Activate it.' },
  credential_lost: { why: 'The credential was reported lost.', action: 'Give the user another one.' },
  credential_stolen: {
    why: 'The credential was reported stolen.',
    action: 'Find out who presented it, and give the user another one.',
  },
  credential_revoked: { why: 'The credential was revoked.', action: 'Give the user another one.' },
  not_yet_valid: { why: 'The credential or the user is not valid yet.', action: 'Set an earlier start.' },
  expired: { why: 'The credential or the user is no longer valid.', action: 'Set a later end.' },
  holder_inactive: { why: 'The user is suspended.', action: 'Activate the user.' },
  recertification_overdue: { why: 'The access of the user was not confirmed in time.', action: 'Recertify the user.' },
  denied_by_rule: {
    why: 'A deny rule applies to the user and the door now, or the controller has no room for its schedule.',
    action: `Remove the user or the door from the rule, or disable it. ${makeRoom}`,
  },
  no_access: {
    why: 'No enabled rule includes the user and the door in this direction.',
    action: 'Add a rule, or add the user to a group with access.',
  },
  outside_schedule: {
    why: 'The schedule of the rule is closed now, or missing, or the controller has no room for it.',
    action: `Extend its hours, or wait until they begin. ${makeRoom}`,
  },
  holiday_closed: { why: 'A holiday closes the schedule.', action: 'Give the schedule hours on this kind of holiday.' },
  adhoc_not_started: { why: 'The temporary access has not started.', action: 'Set an earlier start.' },
  adhoc_ended: { why: 'The temporary access has ended.', action: 'Set a later end.' },
  interlock: { why: 'Another door of the interlock is open or unlocked.', action: 'Close the other door.' },
  interlock_unavailable: {
    why: 'The interlock has doors of several controllers. One of these, or the server, cannot be reached, or has not reported its door yet.',
    action:
      'Connect the controllers until they are in sync, or remove a door whose controller cannot be. Leaving by request to exit always works.',
  },
  antipassback: {
    why: 'The user has entered the area and not left it, or the reverse, or enters again too soon.',
    action: 'Have the user pass the other side first, or forgive them in the door group.',
  },
  first_person_absent: {
    why: 'No member of the first-person group has entered today, in the time zone of the site.',
    action: 'Have a member of the group enter first.',
  },
  pin_required: { why: 'The door needs a PIN and none was entered.', action: 'Enter the PIN after the card.' },
  pin_invalid: { why: 'The PIN is wrong, or not valid now.', action: 'Enter the right PIN.' },
  pin_locked: {
    why: `${limits.wrongPins} wrong PINs in a row lock the PIN of a user, or the keypad where no card is presented, for ${limits.pinLockedMinutes} minutes.`,
    action: `Wait ${limits.pinLockedMinutes} minutes.`,
  },
  second_person_required: {
    why: 'The door opens only for two users.',
    action: `Present a second card within ${limits.secondPersonSeconds} seconds.`,
  },
  second_person_absent: {
    why: 'No second user with access presented a credential in time.',
    action: 'Come with a second user who has access.',
  },
  remote_approval_required: { why: 'An operator must approve.', action: 'Grant the request in the console.' },
  remote_denied: { why: 'An operator denied the request.', action: 'Ask the operator.' },
  remote_timeout: { why: `No operator decided within ${limits.approvalSeconds} seconds.`, action: 'Ask again.' },
  remote_unavailable: {
    why: 'The controller has no connection to the server, or no operator could be asked.',
    action: 'Check the network of the controller.',
  },
  unit_out_of_step: {
    why: 'The controller decided otherwise than the current policy, because it had not applied the latest configuration.',
    action: 'Check whether the controller is online and in sync.',
  },
}

/** The checks of a decision and their reasons, as the document that installers read. */
export function decisionTable() {
  const sections = decisionSteps.map((step, at) => {
    const { title, text } = steps[step]
    return `## ${at + 1}. ${title}\n\n${text}\n\n${tableOf(reasonsOfStep[step])}`
  })
  const others = `## Compared afterwards\n\nThe server compares its decision with that of the controller.\n\n${tableOf(['unit_out_of_step'])}`
  return `${[introduction, ...sections, others].join('\n\n')}\n`
}

function tableOf(codes: readonly ReasonCode[]) {
  const rows = codes.map((code) => {
    const { why, action } = reasons[code]
    return `| ${reasonWords[code]} | \`${code}\` | ${why} | ${action} |`
  })
  return ['| shown as | code | why | what to do |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

export const guest = {
  title: 'Your access',
  hello: 'Hello {{name}}',
  invited: '{{name}} of {{account}} has given you access.',
  hours: '{{hours}} ({{place}} time)',
  states: {
    upcoming: 'Not yet active',
    active: 'Active now',
    ended: 'This access has ended',
    withdrawn: 'This access was withdrawn',
  },
  askAgain: 'This link opens no doors. Ask the person who invited you for a new one.',
  doors: 'Doors',
  noDoors: 'These doors no longer exist. Ask the person who invited you.',
  open: 'Open',
  openDoor: 'Open {{door}}',
  inFront: 'Press Open at the door.',
  tooMany: 'Too many attempts. Wait a moment, then try again.',
  status: {
    requested: 'Asking the door to open…',
    sent: 'Sent to the door. Waiting for its answer…',
    confirmed: 'The door is unlocked for a few seconds. Open it now.',
    not_delivered: 'This door cannot be reached now. Try again later, or ask the person who invited you.',
    expired: 'The door did not answer in time. Try again.',
    refused: 'The door did not open. Try again, or ask the person who invited you.',
  },
  refused: {
    door_locked_down: 'This door is locked down.',
    door_blocked: 'This door is blocked.',
    door_disabled: 'This door is disabled.',
    unit_out_of_service: 'This door is disabled.',
    denied_by_rule: 'You have no access to this door at this time.',
    outside_schedule: 'You have no access to this door at this time.',
    holiday_closed: 'This door is closed today.',
    adhoc_not_started: 'Your access has not begun yet.',
    adhoc_ended: 'Your access has ended.',
    interlock: 'Another door of this passage is open. Close it first, then try again.',
    interlock_unavailable: 'This door cannot check the other doors of its passage now. Try again later.',
    pin_required: 'This door also needs a PIN, so it opens only at its reader.',
    second_person_required: 'This door needs 2 people, so it opens only at its reader.',
    remote_approval_required: 'An operator must approve each access at this door. Ask the person who invited you.',
    needs_reader: 'This door checks who is inside, so it opens only at its reader.',
    other: 'You have no access to this door.',
  },
} as const

declare module '../text/text.ts' {
  interface Texts {
    guest: typeof guest
  }
}

export const doors = {
  title: 'Doors',
  one: 'Door',
  add: 'Add door',
  name: 'Name',
  site: 'Site',
  mode: 'Door mode',
  modeUntil: 'Mode until',
  modeVersion: 'Mode version',
  modeSetAt: 'Mode requested',
  state: 'State',
  stateAt: 'Since',
  unit: 'Controller',
  unitDoor: 'Door number',
  unitDoorMissing: 'Select the door number on the controller.',
  unitDoorShort: 'door {{number}}',
  relockAfterSeconds: 'Relock after',
  relockShort: 'relocks after {{seconds}} s',
  heldOpenAfterSeconds: 'Held open after',
  heldShort: 'held open after {{seconds}} s',
  times: 'Times',
  commands: 'Commands',
  directions: 'Readers',
  entryReader: 'Entry reader',
  exitReader: 'Exit reader',
  bothReaders: 'Entry and exit readers',
  noReader: 'No reader',
  requiresRemoteAuth: 'Requires approval',
  requiresRemoteAuthHint: 'Cardholders with access wait at this door until an operator approves.',
  enabled: 'Enabled',
  enabledHint: 'A disabled door denies all access.',
  deliveryFaults: {
    not_connected: 'The controller was not connected',
    door_deleted: 'The door was deleted',
    no_answer: 'The controller did not answer',
    not_signed: 'The controller does not trust the signature of the server. Enrol it again',
    clock_unknown: 'The controller does not know the time of the server',
  },
  unlockOnce: 'Unlock once',
  unlocking: 'Unlock {{name}} once',
  empty: 'No doors yet',
  emptyHint: 'Add the doors of this site and select the controller that each is wired to.',
} as const

export const doorModes = {
  more: 'More commands for {{name}}',
  hold: 'Hold unlocked until…',
  block: 'Block…',
  lockdown: 'Lock down…',
  restore: 'Return to schedule',
  holdTitle: 'Hold {{name}} unlocked',
  holdHint: 'The door stays unlocked: anyone can enter without a card until this time. Then it locks by itself.',
  blockTitle: 'Block {{name}}?',
  blockHint: 'Neither cards nor Unlock once open the door until the block ends. Leaving from inside still works.',
  lockdownTitle: 'Lock down {{name}}?',
  lockdownHint:
    'Neither cards nor commands open the door until an operator returns it to its schedule. Leaving from inside still works.',
  until: 'Until',
  holdDo: 'Hold unlocked',
  blockDo: 'Block',
  lockdownDo: 'Lock down',
  untilTime: 'until {{time}}',
  requestedAt: 'requested {{time}}',
  sentAt: 'sent {{time}}',
  confirmedAt: 'confirmed {{time}}',
  noAnswer: 'not confirmed by the controller yet',
} as const

declare module '../text/text.ts' {
  interface Texts {
    doors: typeof doors
    doorModes: typeof doorModes
  }
}

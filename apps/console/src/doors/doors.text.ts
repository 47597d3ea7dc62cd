export const doors = {
  title: 'Doors',
  one: 'Door',
  add: 'Add door',
  name: 'Name',
  site: 'Site',
  mode: 'Door mode',
  state: 'State',
  stateAt: 'Since',
  unit: 'Controller',
  unitDoor: 'Door number',
  unitDoorMissing: 'Say which of the controller’s doors this is.',
  unitDoorShort: 'door {{number}}',
  times: 'Times',
  relockAfterSeconds: 'Locks again after',
  relockShort: 'locks after {{seconds}} s',
  heldOpenAfterSeconds: 'Held open after',
  heldShort: 'held open after {{seconds}} s',
  directions: 'Readers',
  entryReader: 'Entry reader',
  exitReader: 'Exit reader',
  bothReaders: 'Entry and exit readers',
  noReader: 'No reader',
  requiresRemoteAuth: 'Needs approval',
  requiresRemoteAuthHint: 'A user who may pass waits here until an operator grants it.',
  enabled: 'In use',
  enabledHint: 'A door that is not in use lets nobody pass.',
  commands: 'Commands',
  deliveryFaults: { not_connected: 'The controller was not connected', no_answer: 'The controller did not answer' },
  unlockOnce: 'Unlock once',
  unlocking: 'Unlock {{name}} once',
  empty: 'No door yet',
  emptyHint: 'Add the doors of this site and say which controller each is wired to.',
} as const

export const doorModes = {
  more: 'More commands for {{name}}',
  hold: 'Hold unlocked until…',
  block: 'Block…',
  lockdown: 'Lock down…',
  restore: 'Return to schedule',
  holdTitle: 'Hold {{name}} unlocked',
  holdHint: 'Everybody passes without a card until then. It locks again by itself.',
  blockTitle: 'Block {{name}}?',
  blockHint: 'Nobody gets in with a card. From inside the door opens as always.',
  lockdownTitle: 'Lock down {{name}}?',
  lockdownHint:
    'Nobody gets in, not even by a command, until somebody returns the door to its schedule. From inside it opens as always.',
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

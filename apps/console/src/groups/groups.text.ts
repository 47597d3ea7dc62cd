export const groups = {
  uses: 'Belongs to this group',
  rules: 'Rules',
  noRules: 'No rule names this group or a member of it.',
  units: 'Controllers',
  noUnits: 'No controllers',
  events: 'Events of this group today',
} as const

export const doorGroups = {
  title: 'Door groups',
  one: 'Door group',
  add: 'Add door group',
  name: 'Name',
  members: 'Doors',
  count_one: '{{count, number}} door',
  count_other: '{{count, number}} doors',
  empty: 'No door groups yet',
  emptyHint: 'A door group lets one rule apply to many doors, such as loading bays or plant rooms.',
  antiPassback: 'Anti-passback',
  antiPassbackKinds: {
    off: 'Off',
    soft: 'Soft: report only',
    hard: 'Hard: deny',
    timed: 'Timed: deny for some minutes',
  },
  antiPassbackHints: {
    off: 'Users may enter again without having left.',
    soft: 'These doors lead into one area. A user who enters it twice is granted access and reported.',
    hard: 'These doors lead into one area. A user who has entered must leave before entering again. Without an exit reader, each user enters once and is then denied until you forgive them.',
    timed: 'These doors lead into one area. A user who has entered cannot enter again for some minutes.',
  },
  minutes: 'Minutes after entering',
  forgivenAllAt: 'All users forgiven',
  forgivenAt: 'Users forgiven',
  forgive: 'Forgive',
  forgiveHint: 'A forgiven user may pass once more, wherever they passed last.',
  forgiveUser: 'User',
  forgiveOne: 'Forgive user',
  forgiveAll: 'Forgive all users',
  forgivenOne: 'The user may pass once the controllers have the new configuration.',
  forgivenAll: 'All users may pass once the controllers have the new configuration.',
} as const

export const siteGroups = {
  title: 'Site groups',
  one: 'Site group',
  add: 'Add site group',
  name: 'Name',
  members: 'Sites',
  count_one: '{{count, number}} site',
  count_other: '{{count, number}} sites',
  empty: 'No site groups yet',
  emptyHint: 'A site group lets one rule apply to many sites, such as a region.',
} as const

export const userGroups = {
  title: 'Groups',
  one: 'User group',
  add: 'Add group',
  name: 'Name',
  members: 'Members',
  count_one: '{{count, number}} user',
  count_other: '{{count, number}} users',
  empty: 'No groups yet',
  emptyHint: 'Rules apply to groups, so a new colleague gets access by joining one.',
} as const

export const interlockingGroups = {
  title: 'Interlocks',
  one: 'Interlock',
  add: 'Add interlock',
  name: 'Name',
  doors: 'Doors',
  doorsHint:
    'A door opens only while the others are closed and locked. If they are wired to several controllers, each asks the server first: without it, a door opens only by request to exit.',
  states: { secure: 'Closed and locked', closed: 'Closed', open: 'Open or unlocked', unknown: 'Not reported' },
  faults: {
    offline: 'Its controller is offline',
    no_room: 'Its controller has no room for it',
    out_of_sync: 'Its controller is out of sync',
  },
  units_one: '{{count, number}} controller',
  units_other: '{{count, number}} controllers',
  shared: 'asks the server',
  deleteHint: 'Its doors can then be open at the same time. You can undo this afterwards.',
  oneDoor: 'An interlock with one door does nothing. Add the other doors.',
  now: 'Doors now',
  keepsLocked: {
    one: '{{doors}} keeps the other doors locked, except for request to exit.',
    more: '{{doors}} keep the other doors locked, except for request to exit.',
  },
  others: 'Other doors of the interlock now',
  asksServer: 'The interlock has doors of several controllers, so the controller asks the server each time.',
  count_one: '{{count, number}} door',
  count_other: '{{count, number}} doors',
  empty: 'No interlocks yet',
  emptyHint: 'In an interlock, such as an airlock, only one door may be open at a time.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    groups: typeof groups
    doorGroups: typeof doorGroups
    interlockingGroups: typeof interlockingGroups
    siteGroups: typeof siteGroups
    userGroups: typeof userGroups
  }
}

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
  one: 'Interlock',
  name: 'Name',
  doors: 'Doors',
} as const

declare module '../text/text.ts' {
  interface Texts {
    doorGroups: typeof doorGroups
    interlockingGroups: typeof interlockingGroups
    siteGroups: typeof siteGroups
    userGroups: typeof userGroups
  }
}

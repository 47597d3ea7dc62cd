export const doorGroups = {
  title: 'Door groups',
  one: 'Door group',
  add: 'Add door group',
  name: 'Name',
  members: 'Doors',
  count_one: '{{count, number}} door',
  count_other: '{{count, number}} doors',
  empty: 'No door group yet',
  emptyHint: 'A group lets one rule name many doors: loading bays, freezers, plant rooms.',
} as const

export const siteGroups = {
  title: 'Site groups',
  one: 'Site group',
  add: 'Add site group',
  name: 'Name',
  members: 'Sites',
  count_one: '{{count, number}} site',
  count_other: '{{count, number}} sites',
  empty: 'No site group yet',
  emptyHint: 'A group lets one rule name many sites: a region, a kind of building.',
} as const

export const userGroups = {
  title: 'Groups',
  one: 'User group',
  add: 'Add group',
  name: 'Name',
  members: 'Members',
  count_one: '{{count, number}} person',
  count_other: '{{count, number}} people',
  empty: 'No groups yet',
  emptyHint: 'Rules name groups, so that a new colleague gets access by joining one.',
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

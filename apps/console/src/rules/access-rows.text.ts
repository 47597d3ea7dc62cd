export const accessRows = {
  view: 'View',
  by: { rule: 'By rule', user: 'By user', door: 'By door' },
  user: 'User',
  door: 'Door',
  state: 'State now',
  mode: 'Door mode',
  modes: { normal: 'Normal', unlocked: 'Held unlocked', blocked: 'Blocked', lockdown: 'Locked down' },
  rules: 'Rules',
  opensNow: 'Can open now',
  openedBy: 'Can be opened now by',
  doors_one: '{{count, number}} door',
  doors_other: '{{count, number}} doors',
  users_one: '{{count, number}} user',
  users_other: '{{count, number}} users',
  tooMany: 'Too many to count',
  noRule: 'No rule names this user',
  noRuleHere: 'No rule applies here',
  addTo: 'Add access',
  addToName: 'Add access: {{name}}',
  exploreName: 'Explore {{name}}',
  enabledOnly: 'Only enabled rules are shown here. The numbers are those of this minute.',
  actions: 'Actions',
  noUsers: 'No users yet',
  noDoors: 'No doors yet',
  always: 'at all times',
  hidden: 'not visible to you',
} as const

declare module '../text/text.ts' {
  interface Texts {
    accessRows: typeof accessRows
  }
}

export const recertification = {
  title: 'Recertify Users',
  overdueNow: '{{count, number}} overdue',
  overdueMeans: 'Their credentials do not open any door until they are recertified.',
  noneOverdue: 'No users are overdue',
  period_one: 'All users here are recertified every day.',
  period_other: 'All users here are recertified every {{count, number}} days.',
  periodWhere: 'Change in account settings',
  show: 'Users shown',
  shown: {
    overdue: 'Overdue',
    soon: 'Due within {{days}} days',
    all: 'All users',
  },
  shownCount: '{{name}} ({{count, number}})',
  person: 'User',
  access: 'Role and groups',
  moreGroups: '+{{count, number}}',
  canOpen: 'Doors they can open',
  canOpenOf: 'Doors they can open: {{name}}',
  last: 'Last recertified',
  never: 'Never',
  due: 'Due',
  overdueDays_one: '{{count, number}} day overdue',
  overdueDays_other: '{{count, number}} days overdue',
  overdueToday: 'Overdue since today',
  overdueEver: 'Never recertified',
  dueDays_one: 'Due in {{count, number}} day',
  dueDays_other: 'Due in {{count, number}} days',
  dueToday: 'Due today',
  doing: 'Action',
  recertify: 'Recertify',
  recertifyOf: 'Recertify {{name}}',
  more: 'More actions for {{name}}',
  recertifyTitle_one: 'Recertify {{count, number}} user?',
  recertifyTitle_other: 'Recertify {{count, number}} users?',
  recertifyHint:
    'You confirm that each of these users still needs their access. The period starts again today, and the audit log records your name.',
  recertified: '{{name}} is recertified until {{until}}',
  suspend: 'Suspend…',
  own: 'Another user must recertify you',
  failed: '{{name}} was not recertified: {{reason}}',
  noneDue: 'No users are due',
  noneDueHint: 'All users here are up to date. Users due later are listed under All users.',
  showAll: 'Show all users',
  notEnforced: 'Recertification is off in this account',
  notEnforcedHint:
    'To require that access is confirmed regularly, set “Recertify users every” in this account or in an account above it.',
  openAccount: 'Open the account',
} as const

declare module '../text/text.ts' {
  interface Texts {
    recertification: typeof recertification
  }
}

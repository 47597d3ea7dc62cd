export const recertification = {
  title: 'Recertify Users',
  overdueNow: '{{count, number}} overdue',
  overdueMeans: 'Until somebody recertifies them, their credentials open nothing.',
  nobodyOverdue: 'Nobody is overdue',
  period_one: 'Here everybody is recertified every day.',
  period_other: 'Here everybody is recertified every {{count, number}} days.',
  periodWhere: 'Change it in the account',
  show: 'Who is shown',
  shown: {
    overdue: 'Overdue',
    soon: 'Due within {{days}} days',
    all: 'Everybody',
  },
  shownCount: '{{name}} ({{count, number}})',
  person: 'Person',
  access: 'Role and groups',
  moreGroups: '+{{count, number}}',
  canOpen: 'What they can open',
  canOpenOf: 'What they can open: {{name}}',
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
  doing: 'Decide',
  recertify: 'Recertify',
  recertifyOf: 'Recertify {{name}}',
  more: 'More about {{name}}',
  recertifyTitle_one: 'Recertify {{count, number}} person?',
  recertifyTitle_other: 'Recertify {{count, number}} people?',
  recertifyHint:
    'You confirm that each of them still needs what they can open. Their days begin anew, and the audit log keeps your name.',
  recertified: '{{name}} is recertified until {{until}}',
  suspend: 'Suspend…',
  suspendHint:
    'They no longer need their access: they pass no door and can not sign in, until somebody makes them active again.',
  own: 'Somebody else has to decide about you',
  failed: '{{name}} was not recertified: {{reason}}',
  nobody: 'Nobody is due',
  nobodyHint: 'Everybody here was recertified in time. Who is due later is under Everybody.',
  showAll: 'Show everybody',
  notEnforced: 'Nobody has to be recertified here',
  notEnforcedHint:
    'How often somebody confirms that people still need their access is set in the form of the account, or of one above it: Recertify every.',
  openAccount: 'Open the account',
} as const

declare module '../text/text.ts' {
  interface Texts {
    recertification: typeof recertification
  }
}

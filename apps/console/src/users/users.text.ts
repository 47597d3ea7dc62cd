export const users = {
  title: 'Users',
  tab: 'People',
  add: 'Add person',
  name: 'Name',
  jobTitle: 'Title',
  email: 'Email',
  emailHint: 'Only where the person signs in to the console. It can be set once.',
  role: 'Role',
  status: 'Status',
  groups: 'Groups',
  validFrom: 'Valid from',
  validUntil: 'Valid until',
  validHint: 'Empty: without end.',
  noEnd: 'without end',
  recertified: 'Recertified',
  empty: 'Nobody yet',
  emptyHint: 'Add the people who present cards at your doors, and those who work in this console.',
  roles: {
    admin: 'Administrator',
    accountManager: 'Account manager',
    installer: 'Installer',
    accessManager: 'Access manager',
    reportingUser: 'Reporting user',
    appUser: 'Holder',
  },
} as const

declare module '../text/texts.ts' {
  interface Texts {
    users: typeof users
  }
}

export const users = {
  all: 'Users',
  one: 'Person',
  tab: 'People',
  add: 'Add person',
  name: 'Name',
  title: 'Title',
  email: 'Email',
  emailOnce: 'Only where the person signs in to the console. It can be set once.',
  role: 'Role',
  status: 'Status',
  groups: 'Groups',
  validFrom: 'Valid from',
  validUntil: 'Valid until',
  validUntilHint: 'Empty: without end.',
  noEnd: 'without end',
  lastRecertifiedAt: 'Recertified',
  idleTime: 'Idle time (seconds)',
  img: 'Picture',
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

export const metaDataTemplates = {
  one: 'Template',
  name: 'Name',
  fields: 'Fields',
} as const

declare module '../text/text.ts' {
  interface Texts {
    metaDataTemplates: typeof metaDataTemplates
    users: typeof users
  }
}

export const users = {
  all: 'Users',
  one: 'User',
  tab: 'Users',
  add: 'Add user',
  name: 'Name',
  title: 'Title',
  email: 'Email',
  emailOnce: 'Only for users who sign in to the console. You can set it only when you add the user.',
  noEmail: 'This user cannot sign in. An email can be set only when a user is added.',
  role: 'Role',
  hyper: 'Hyper user',
  verified: 'Email confirmed',
  status: 'Status',
  groups: 'Groups',
  validFrom: 'Valid from',
  validUntil: 'Valid until',
  validUntilHint: 'Leave empty for no end date.',
  noEnd: 'no end date',
  lastRecertifiedAt: 'Recertified',
  idleTime: 'Idle time (seconds)',
  img: 'Picture',
  empty: 'No users yet',
  emptyHint: 'Add the users who present credentials at your doors, and those who work in this console.',
  roles: {
    admin: 'Administrator',
    accountManager: 'Account manager',
    installer: 'Installer',
    accessManager: 'Access manager',
    reportingUser: 'Reporting user',
    appUser: 'App user',
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

export const gate = {
  title: 'No access',
  heading: 'Nothing here is open to you',
  notOpen: 'Not open to you',
  eventsNotOpen: 'Access Events are not open to you',
  notOpenHint: 'Your role in this account does not include this.',
  hint: 'Your role in {{account}} does not include this console. Ask an administrator of the account for access.',
  noAccount: 'You belong to no account yet. Ask an administrator to add you.',
  open: 'What is open to you',
  settings: 'Your own settings',
  otherAccounts: 'Your other accounts',
} as const

export const shell = {
  skip: 'Skip to content',
  navigation: 'Main',
  openNavigation: 'Open navigation',
  closeNavigation: 'Close navigation',
  collapseNavigation: 'Collapse navigation',
  expandNavigation: 'Expand navigation',
  arrived: '{{title}}, {{account}}',
  switchAccount: 'Switch account',
  searchAccounts: 'Search accounts',
  noAccounts: 'No account of that name',
  userMenu: 'User menu',
  logOut: 'Log Out',
  appearance: 'Appearance',
  auto: 'Auto',
  light: 'Light',
  dark: 'Dark',
  contact: 'Contact',
  version: '{{product}} {{version}}',
  dashboard: 'Dashboard',
  sites: 'Sites',
  controllers: 'Controllers',
  accessControl: 'Access Control',
  manageAccess: 'Manage Access',
  manageSchedules: 'Manage Schedules',
  adhocAccess: 'Adhoc Access',
  accessEvents: 'Access Events',
  incidentReports: 'Incident Reports',
  contacts: 'Contacts',
  users: 'Users',
  userList: 'List',
  passwordResetMfa: 'Password Reset / MFA',
  accounts: 'Accounts',
  identityProviders: 'Identity Providers',
  recertifyUsers: 'Recertify Users',
} as const

export const personMenu = {
  profile: 'My profile',
  settings: 'User settings',
  lock: 'Lock screen',
} as const

declare module '../text/text.ts' {
  interface Texts {
    gate: typeof gate
    shell: typeof shell
    personMenu: typeof personMenu
  }
}

export const gate = {
  title: 'No access',
  heading: 'You don’t have access to anything here',
  notOpen: 'You don’t have access',
  eventsNotOpen: 'You cannot view access events',
  notOpenHint: 'Your role in this account does not include this screen.',
  hint: 'Your role in {{account}} does not give you access to this console. Ask an administrator of the account for access.',
  noAccount: 'You don’t belong to an account yet. Ask an administrator to add you.',
  open: 'Screens you can open',
  settings: 'Your settings',
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
  noAccounts: 'No accounts found',
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
  lockdownPlans: 'Lockdown Plans',
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

export const userMenuEntries = {
  profile: 'My profile',
  settings: 'User settings',
  lock: 'Lock screen',
} as const

declare module '../text/text.ts' {
  interface Texts {
    gate: typeof gate
    shell: typeof shell
    userMenuEntries: typeof userMenuEntries
  }
}

export const tenants = {
  title: 'Identity Providers',
  one: 'Identity provider',
  add: 'Add identity provider',
  name: 'Name',
  nameHint: 'A name that users recognise, such as that of their company directory.',
  provider: 'Protocol',
  providers: { oidc: 'OpenID Connect', saml: 'SAML 2.0' },
  enabled: 'Enabled',
  state: 'State',
  changed: 'Changed',
  notYet:
    'Users sign in with email and password until this installation is connected to an identity service. These settings are stored and do not affect sign-in yet.',
  enable: 'Enable',
  enableMany_one: 'Enable {{count, number}} identity provider?',
  enableMany_other: 'Enable {{count, number}} identity providers?',
  disable: 'Disable',
  disableMany_one: 'Disable {{count, number}} identity provider?',
  disableMany_other: 'Disable {{count, number}} identity providers?',
  deleteMany_one: 'Delete {{count, number}} identity provider?',
  deleteMany_other: 'Delete {{count, number}} identity providers?',
  empty: 'No identity providers yet',
  emptyHint:
    'Add the company directories that identify the users of this account. Users sign in with email and password until this installation is connected to one.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    tenants: typeof tenants
  }
}

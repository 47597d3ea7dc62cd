export const tenants = {
  title: 'Identity Providers',
  one: 'Identity provider',
  add: 'Add identity provider',
  name: 'Name',
  nameHint: 'As people know it: the directory or the sign-in of their company.',
  provider: 'Protocol',
  providers: { oidc: 'OpenID Connect', saml: 'SAML 2.0' },
  enabled: 'Enabled',
  state: 'State',
  changed: 'Changed',
  notYet:
    'People sign in with e-mail and password until this installation is joined to an identity service. What is set here is kept for that day and changes nobody’s sign-in now.',
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
    'Keep here which company directories vouch for the people of this account. Until this installation is joined to one, people sign in with e-mail and password.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    tenants: typeof tenants
  }
}

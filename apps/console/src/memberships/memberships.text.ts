export const memberships = {
  title: 'Accounts and roles',
  add: 'Add to account',
  addTitle: 'Add {{name}} to other accounts',
  addHint:
    'They get the role in each of these accounts. A user who signs in accepts it first, by an email or in their settings.',
  accounts: 'Accounts',
  role: 'Role',
  noAccounts: 'There is no other account to which you can add this user.',
  addNow: 'Add',
  added: '{{name}} was added.',
  invited: 'Invited',
  invitedHint: 'The role applies once they accept. A card that this account gives them works before that.',
  remove: 'Remove from {{account}}',
  removeTitle: 'Remove {{name}} from {{account}}?',
  removeHint:
    'Their role there and their access at its doors end at once. Their cards and other credentials of {{account}} stay there without a user.',
  removeNow: 'Remove',
  removed: '{{name}} was removed from {{account}}.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    memberships: typeof memberships
  }
}

export const guests = {
  for: 'For',
  recipients: { users: 'Users and groups', guest: 'A guest' },
  mark: 'Guest',
  name: 'Name of the guest',
  email: 'Email',
  emailHint: 'The link and the code are sent there.',
  how: 'The guest opens the doors with',
  byLink: 'A link',
  byLinkHint: 'On a page with a button for each door.',
  byLinkNotAt:
    'A link does not open {{doors}}: approval, a PIN, a second person, first person in or anti-passback applies there.',
  byCode: 'A code',
  byCodeHint: 'A PIN of 6 digits, for doors with a keypad that accept a PIN alone.',
  noKeypad: 'None of these doors accepts a PIN alone.',
  notAt: 'A PIN without a card does not open {{doors}}.',
  invite: 'Invite',
  made: 'Access for the guest',
  shownOnce: 'Pass this on to the guest now. It is shown only once.',
  mailed: 'It is also sent to {{email}}.',
  code: 'Code',
  codeHint: 'The guest enters it on the keypad, without a card.',
  link: 'Link',
  linkHint: 'Anyone with this link can open the doors until the access ends.',
  copy: 'Copy: {{what}}',
  renew: 'New link or code',
  newLink: 'New link',
  newCode: 'New code',
  renewed: 'The previous one no longer works',
} as const

declare module '../text/text.ts' {
  interface Texts {
    guests: typeof guests
  }
}

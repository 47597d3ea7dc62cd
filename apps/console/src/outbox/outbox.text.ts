export const outbox = {
  title: 'Mail outbox',
  list: 'Mails',
  kept: 'No mail server is set: mails are kept here, and nobody receives them. Hand their links on yourself, or set SMTP_URL on the server and restart it.',
  sending:
    'Mails go out through the mail server that SMTP_URL names. One that it does not take is tried again for a while.',
  empty: 'No mail yet',
  emptyHint:
    'Invitations, reset links and notices appear here. Without SMTP_URL they are kept here instead of being sent.',
  states: { waiting: 'Waiting', sent: 'Sent', kept: 'Kept here', failed: 'Failed' },
  attempts_one: '{{count, number}} attempt',
  attempts_other: '{{count, number}} attempts',
  show: 'Show the mail',
  hide: 'Hide the mail',
  ofMail: '{{what}}: {{subject}}, to {{to}}',
  copyLink: 'Copy the link',
  secret: 'The link works for whoever has it: give it to nobody but its receiver.',
  newest: 'The last hundred mails.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    outbox: typeof outbox
  }
}

export const outbox = {
  title: 'Email outbox',
  list: 'Emails',
  kept: 'No mail server is configured: emails are kept here and not sent. Pass on their links yourself, or set SMTP_URL on the server and restart it.',
  sending: 'Emails are sent through the mail server in SMTP_URL. Failed emails are retried for about a day.',
  empty: 'No emails yet',
  emptyHint: 'Invitations, reset links and notices appear here. Without SMTP_URL they are kept here and not sent.',
  states: { waiting: 'Waiting', sent: 'Sent', kept: 'Not sent', failed: 'Failed' },
  attempts_one: '{{count, number}} attempt',
  attempts_other: '{{count, number}} attempts',
  show: 'Show email',
  hide: 'Hide email',
  ofMail: '{{what}}: {{subject}}, to {{to}}',
  copyLink: 'Copy link',
  secret: 'Anyone with this link can use it: give it only to the recipient.',
  newest: 'The last 100 emails.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    outbox: typeof outbox
  }
}

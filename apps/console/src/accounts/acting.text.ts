export const acting = {
  act: 'Act inside this account…',
  actIn: 'Act inside {{name}}…',
  key: 'Shift + Enter: act inside',
  title: 'Act inside {{name}}',
  hint: 'Your changes there are recorded in its audit log with your name and this reason. You act inside it for at most {{minutes}} minutes.',
  reason: 'Reason',
  reasonExample: 'For example, a ticket number or the name of the requester',
  reasonShort: 'Enter a reason of 3 to 500 characters.',
  begin: 'Act inside',
  region: 'Acting inside another account',
  banner: 'Acting inside {{account}} as {{person}}: {{reason}}.',
  since: 'Since {{since}}.',
  stop: 'Stop acting',
  already: 'You already act inside {{name}} in another tab, for this reason: {{reason}}',
  stopped: 'You no longer act inside {{name}}.',
  time: '{{minutes}} minutes have passed: you no longer act inside {{name}}.',
  server: 'The server ended your access to {{name}}. You are still signed in.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    acting: typeof acting
  }
}

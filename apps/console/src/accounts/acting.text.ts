export const acting = {
  act: 'Act inside this account…',
  actIn: 'Act inside {{name}}…',
  key: 'Shift + Enter: act inside',
  title: 'Act inside {{name}}',
  hint: 'What you do there is done in your name, for this reason, for {{minutes}} minutes at most. Both stand in its audit log.',
  reason: 'Reason',
  reasonExample: 'Such as a ticket, or who asked for it',
  reasonShort: 'Say why in 3 to 500 characters.',
  begin: 'Act inside',
  region: 'Acting inside another account',
  banner: 'Acting inside {{account}} as {{person}}: {{reason}}.',
  since: 'Since {{since}}.',
  stop: 'Stop acting',
  already: 'You act inside {{name}} in another tab already. Its reason holds: {{reason}}',
  stopped: 'You no longer act inside {{name}}.',
  time: '{{minutes}} minutes have passed: you no longer act inside {{name}}.',
  server: 'The server has ended it: you no longer act inside {{name}}.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    acting: typeof acting
  }
}

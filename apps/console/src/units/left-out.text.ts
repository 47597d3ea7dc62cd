export const leftOut = {
  title: 'No room on this controller',
  later: 'This applies once the controller has applied version {{version, number}}.',
  hint: 'The controller gets as much as it can hold: the oldest credentials and schedules, and the doors with the lowest numbers. Replace it with a larger one to make room for everything.',
  fits: 'Everything fits at the moment. The warning ends within 20 minutes.',
  checking: 'The server is checking what fits.',
  cardholders_one: '{{count, number}} cardholder with credentials that are not on the controller',
  cardholders_other: '{{count, number}} cardholders with credentials that are not on the controller',
  cardholdersHint:
    'These credentials are denied at its doors as unknown. To make room, give fewer cardholders access to its doors.',
  atDoor_one: '{{name}}: {{count, number}} cardholder with access lacks a credential here',
  atDoor_other: '{{name}}: {{count, number}} cardholders with access lack a credential here',
  doors: 'Doors that do not work: {{names}}',
  doorsHint: 'To make room, wire doors to another controller.',
  schedules: 'Schedules left out (their allow rules grant no access, their deny rules always apply): {{names}}',
  schedulesHint: 'To make room, use fewer schedules at its doors.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    leftOut: typeof leftOut
  }
}

export const leftOut = {
  title: 'No room on this controller',
  hint: 'The controller gets as much as it can hold: the oldest credentials and schedules, and the doors with the lowest numbers. Remove access that is not needed, or replace the controller with a larger one.',
  none: 'Everything fits again. The warning ends within a few minutes.',
  cardholders_one: '{{count, number}} cardholder with credentials that are not on the controller',
  cardholders_other: '{{count, number}} cardholders with credentials that are not on the controller',
  cardholdersHint: 'These credentials are denied at its doors as unknown.',
  atDoor_one: '{{name}}: {{count, number}} cardholder with access lacks a credential here',
  atDoor_other: '{{name}}: {{count, number}} cardholders with access lack a credential here',
  doors: 'Doors that do not work: {{names}}',
  schedules: 'Schedules left out (their allow rules grant no access, their deny rules always apply): {{names}}',
} as const

declare module '../text/text.ts' {
  interface Texts {
    leftOut: typeof leftOut
  }
}

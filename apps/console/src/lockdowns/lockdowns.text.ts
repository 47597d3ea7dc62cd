export const lockdownPlans = {
  title: 'Lockdown plans',
  one: 'Lockdown plan',
  add: 'Add lockdown plan',
  name: 'Name',
  places: 'Doors',
  endsAfterMinutes: 'Ends after',
  endsAfterMinutesHint: 'Leave empty to lock the doors until a user ends the lockdown.',
  endsAfter_one: 'Ends after {{count, number}} minute',
  endsAfter_other: 'Ends after {{count, number}} minutes',
  untilEnded: 'Until a user ends it',
  effect: 'During a lockdown no users may pass these doors, but request to exit and fire release still open them.',
  note: 'Note',
  empty: 'No lockdown plans yet',
  emptyHint: 'A lockdown plan names doors that you can lock down together from the top bar.',
} as const

export const lockdowns = {
  title: 'Lockdowns',
  one: 'Lockdown',
  plan: 'Plan',
  name: 'Name',
  startedAt: 'Started',
  startedBy: 'Started by',
  startedByName: 'Started by (name)',
  endsAt: 'Ends',
  endedAt: 'Ended',
  endedBy: 'Ended by',
  endedByName: 'Ended by (name)',
  open: 'Lock down…',
  choose: 'Lock down doors',
  chooseHint: 'The doors lock at once, and deny all users until the lockdown ends.',
  start: 'Lock down now',
  startPlan: 'Lock down now: {{name}}',
  noPlans: 'There are no lockdown plans yet.',
  plans: 'Lockdown plans',
  region: 'Active lockdowns',
  active: 'Lockdown: {{name}}',
  by: 'Started by {{name}} at {{time}}.',
  until: 'Ends at {{time}}.',
  progress_one: '{{confirmed, number}} of {{count, number}} door confirmed',
  progress_other: '{{confirmed, number}} of {{count, number}} doors confirmed',
  unreachable: '{{progress}}, {{unreachable, number}} unreachable',
  show: 'Show doors',
  end: 'End lockdown',
  endTitle: 'End the lockdown {{name}}?',
  endHint: 'Its doors return to the mode that they had before, and grant access again by their rules.',
  ended: 'The lockdown {{name}} has ended.',
  startedLine: 'Started {{time}} by {{name}}.',
  endedLine: 'Ended {{time}} by {{name}}.',
  endedByTime: 'Ended {{time}}, at its set time.',
  overHint:
    'Each door returns to its earlier mode when its controller confirms it, and an unreachable door after its controller reconnects. A door that another active lockdown names stays locked down.',
  log: 'Show in the audit log',
  refuses: 'The door is locked down by {{lockdowns}}',
  door: 'Door',
  site: 'Site',
  state: 'State',
  requestedAt: 'Requested',
  confirmedAt: 'Confirmed',
  unreachableSince: 'Unreachable since',
} as const

declare module '../text/text.ts' {
  interface Texts {
    lockdownPlans: typeof lockdownPlans
    lockdowns: typeof lockdowns
  }
}

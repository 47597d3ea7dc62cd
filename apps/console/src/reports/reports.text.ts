export const reports = {
  title: 'Incident Reports',
  one: 'Report',
  add: 'Add incident report',
  name: 'Name',
  namePlaceholder: 'A short description',
  filter: 'Events',
  everything: 'All events',
  ownFilter: 'Custom filter, saved through the API',
  eventsHidden: 'You don’t have access to these events.',
  covered: 'Events',
  changed: 'Changed',
  covers_one: '{{count, number}} event',
  covers_other: '{{count, number}} events',
  coversAtLeast: 'More than {{count, number}} events',
  newest: 'The newest {{count, number}} are shown here.',
  showAll: 'Show in Access Events',
  none: 'No matching events',
  noneHint: 'Select another period, or remove filters.',
  save: 'Save as incident report',
  deleteMany_one: 'Delete {{count, number}} incident report?',
  deleteMany_other: 'Delete {{count, number}} incident reports?',
  empty: 'No incident reports yet',
  emptyHint: 'Save the events of an incident by door, time and user, then read or export them here.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    reports: typeof reports
  }
}

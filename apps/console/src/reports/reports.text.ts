export const reports = {
  title: 'Incident Reports',
  one: 'Report',
  add: 'Add incident report',
  name: 'Name',
  namePlaceholder: 'What happened, in a few words',
  filter: 'Events it tells of',
  changed: 'Changed',
  everything: 'Every event',
  ownFilter: 'A filter of its own, saved by another program',
  eventsHidden: 'Which events these are is not open to you.',
  covered: 'Events',
  covers_one: '{{count, number}} event',
  covers_other: '{{count, number}} events',
  coversAtLeast: 'More than {{count, number}} events',
  newest: 'The newest {{count, number}} are shown here.',
  showAll: 'Show in Access Events',
  none: 'No event matches',
  noneHint: 'Choose another time, or fewer filters.',
  save: 'Save as incident report',
  deleteMany_one: 'Delete {{count, number}} incident report?',
  deleteMany_other: 'Delete {{count, number}} incident reports?',
  empty: 'No incident reports yet',
  emptyHint:
    'When something has happened, keep which events belong to it: the door, the time, who was refused. They can be read and exported from here.',
} as const

declare module '../text/text.ts' {
  interface Texts {
    reports: typeof reports
  }
}

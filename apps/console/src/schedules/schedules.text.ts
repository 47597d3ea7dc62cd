export const schedules = {
  title: 'Manage Schedules',
  one: 'Schedule',
  tab: 'Schedules',
  add: 'Add schedule',
  name: 'Name',
  windows: 'Hours',
  windowsHint: 'In the time zone of each site.',
  week: 'Week',
  onHolidays: 'On holidays',
  empty: 'No schedules yet',
  emptyHint: 'A schedule sets the days and hours in which access rules apply, in the time zone of each site.',
  addWindow: 'Add hours',
  removeWindow: 'Remove these hours',
  days: 'Days',
  start: 'From',
  end: 'Until',
  noWindows: 'No hours yet: a rule with this schedule grants no access.',
  noDay: 'Select at least one day.',
  drawing: 'Week with the same hours as the fields above',
  drawHint:
    'Drag over closed hours to open them, or over open hours to close them. Drag across days to change several. With the keyboard, go to an hour with the arrow keys (Shift: by an hour), and press Space at both ends.',
  stroke: { add: 'Opening {{hours}}', wipe: 'Closing {{hours}}' },
  openAt: '{{hours}}: open',
  closedAt: '{{hours}}: closed',
  copyHours: 'Copy hours…',
  copyFrom: 'Hours of',
  copyTo: 'Copy to',
  copy: 'Copy',
  nextDays: 'The next 14 days',
  atSite: 'At the site',
  everySite: 'Any site, with all holidays',
  holidayHours: 'Hours on holidays',
  closed: 'Closed',
  asUsual: 'Normal hours',
  own: 'Own hours',
  holidayClosed: 'closed',
  holidayAsUsual: 'normal hours',
  kindHours: '{{kind}} {{hours}}',
  addHours: 'Add hours',
} as const

declare module '../text/text.ts' {
  interface Texts {
    schedules: typeof schedules
  }
}

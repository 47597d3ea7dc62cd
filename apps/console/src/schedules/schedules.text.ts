export const schedules = {
  title: 'Manage Schedules',
  one: 'Schedule',
  tab: 'Schedules',
  add: 'Add schedule',
  name: 'Name',
  windows: 'Hours',
  windowsHint: 'Read on the clock of each site.',
  week: 'Week',
  onHolidays: 'On holidays',
  empty: 'No schedules yet',
  emptyHint: 'A schedule says when rules hold: on which days, from when until when, in the time of the site.',
  addWindow: 'Add hours',
  removeWindow: 'Remove these hours',
  days: 'Days',
  start: 'From',
  end: 'Until',
  noWindows: 'No hours yet: a rule with this schedule gives nothing.',
  noDay: 'Choose at least one day.',
  drawing: 'The week, to draw in; the fields above say the same',
  drawHint: 'Draw over closed hours to open them, over open ones to close them; across days for several.',
  nextDays: 'The next 14 days',
  atSite: 'At the site',
  everySite: 'Any site, with the holidays of all',
  holidayHours: 'Hours on holidays',
  closed: 'Closed',
  asUsual: 'As usual',
  own: 'Own hours',
  holidayClosed: 'closed',
  holidayAsUsual: 'as usual',
  kindHours: '{{kind}} {{hours}}',
  addHours: 'Add hours',
} as const

declare module '../text/text.ts' {
  interface Texts {
    schedules: typeof schedules
  }
}

export const holidays = {
  title: 'Holidays',
  one: 'Holiday',
  add: 'Add holiday',
  name: 'Name',
  kind: 'Kind',
  dates: 'Dates',
  datesHint: 'Whole days in the time zone of each site.',
  calendar: 'Calendar',
  calendarHint: 'Applies at sites that follow this calendar. Leave empty for every site.',
  everySite: 'Every site',
  from: 'First day',
  until: 'Last day',
  recurring: 'Every year',
  addDates: 'Add dates',
  removeDates: 'Remove these dates',
  everyYear: '{{dates}}, every year',
  dayRange: '{{from}} to {{until}}',
  moreDates: '{{dates}} and {{count}} more',
  next: 'Next: {{date}}',
  noNext: 'No date in the next 2 years',
  empty: 'No holidays yet',
  emptyHint: 'On a holiday, schedules use the hours set for its kind, or stay closed.',
  kinds: { public: 'Public', company: 'Company', special: 'Special' },
} as const

declare module '../text/text.ts' {
  interface Texts {
    holidays: typeof holidays
  }
}

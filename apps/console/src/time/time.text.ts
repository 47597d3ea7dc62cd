export const time = {
  fromOn: 'From {{from}}',
  now: 'just now',
  seconds_other: '{{count}} s ago',
  minutes_other: '{{count}} min ago',
  hours_other: '{{count}} h ago',
  days_other: '{{count}} d ago',
  atSite: '{{time}} at the site',
  inZone: 'Time in {{zone}}',
  inZoneAndOwn: 'Time in {{zone}}. In your time zone: {{time}}',
  placeholder: { day: 'dd', month: 'mm', year: 'yyyy' },
  picker: {
    invalid: 'This is not a date. Enter one such as {{example}}.',
    invalidTime: 'This is not a time. Enter one such as {{example}}.',
    date: 'Date',
    time: 'Time',
    months: 'Select month',
    years: 'Select year',
    nextMonth: 'Next month',
    previousMonth: 'Previous month',
    nextYear: 'Next year',
    previousYear: 'Previous year',
    nextDecade: 'Next decade',
    previousDecade: 'Previous decade',
  },
} as const

export const week = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
  never: 'never',
  always: 'Always',
  noDay: 'no day',
  allDay: 'all day',
  window: '{{days}} {{hours}}',
  hours: '{{start}} to {{end}}',
  hoursOver: '{{start}} to {{end}} next day',
  run: '{{from}} to {{to}}',
} as const

declare module '../text/text.ts' {
  interface Texts {
    time: typeof time
    week: typeof week
  }
}

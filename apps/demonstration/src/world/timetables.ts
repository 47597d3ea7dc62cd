import type { CreateOf } from '@portcullis/contract/collection'
import type { holidays } from '@portcullis/contract/collections/holidays'
import type { schedules as collection } from '@portcullis/contract/collections/schedules'
import type { AccountRef } from './accounts.ts'

type Schedule = CreateOf<typeof collection> & { account: AccountRef }
type Holiday = CreateOf<typeof holidays>

/** The later changes of the deliveries' hours. */
export const widerDeliveries = [
  { days: [1, 2, 3, 4, 5], start: '06:30', end: '11:00' },
  { days: [1, 2, 3, 4, 5], start: '14:00', end: '17:30' },
]

const weekdays = [1, 2, 3, 4, 5]
const everyDay = [1, 2, 3, 4, 5, 6, 7]
const closed = { public: 'closed', company: 'closed', special: 'closed' } as const
const asUsual = { public: 'asUsual', company: 'asUsual', special: 'asUsual' } as const

export const schedules: readonly Schedule[] = [
  {
    account: 'harbour-group',
    name: 'Day shift',
    windows: [{ days: weekdays, start: '06:00', end: '18:00' }],
    holidayHours: closed,
  },
  {
    account: 'harbour-group',
    name: 'Office hours',
    windows: [{ days: weekdays, start: '07:30', end: '18:00' }],
    holidayHours: { public: 'closed', company: 'closed', special: [{ start: '10:00', end: '15:00' }] },
  },
  {
    account: 'harbour-group',
    name: 'Evenings',
    windows: [
      { days: weekdays, start: '17:00', end: '22:00' },
      { days: [6], start: '09:00', end: '13:00' },
    ],
    holidayHours: closed,
  },
  {
    account: 'harbour-group',
    name: 'Nights',
    windows: [
      { days: weekdays, start: '22:00', end: '06:00' },
      { days: [6, 7], start: '20:00', end: '07:00' },
    ],
    holidayHours: asUsual,
  },
  {
    account: 'harbour-group',
    name: 'Deliveries',
    windows: [
      { days: weekdays, start: '06:30', end: '10:30' },
      { days: weekdays, start: '14:00', end: '17:30' },
    ],
    holidayHours: closed,
  },
  {
    account: 'harbour-group',
    name: 'Weekends',
    windows: [{ days: [6, 7], start: '07:00', end: '17:00' }],
    holidayHours: { public: 'closed', company: 'closed', special: [{ start: '09:00', end: '12:00' }] },
  },
  {
    account: 'harbour-group',
    name: 'Always',
    windows: [{ days: everyDay, start: '00:00', end: '24:00' }],
    holidayHours: asUsual,
  },
  {
    account: 'harbour-logistics',
    name: 'Dock hours',
    windows: [{ days: [1, 2, 3, 4, 5, 6], start: '05:00', end: '21:00' }],
    holidayHours: { public: [{ start: '08:00', end: '13:00' }], company: 'closed', special: 'asUsual' },
  },
  {
    account: 'harbour-couriers',
    name: 'Two runs',
    windows: [
      { days: [1, 2, 3, 4, 5, 6], start: '04:00', end: '12:30' },
      { days: weekdays, start: '15:00', end: '20:00' },
    ],
    holidayHours: closed,
  },
  {
    account: 'quayside-labs',
    name: 'Lab hours',
    windows: [{ days: weekdays, start: '08:00', end: '19:00' }],
    holidayHours: closed,
  },
]

/** Holidays of the whole group, which the accounts below also read. */
export function holidaysOfYears(): Holiday[] {
  return [
    ...Object.entries(southAfrica).map(([name, dates]) => publicHoliday({ name, dates, calendar: 'ZA' })),
    ...Object.entries(england).map(([name, dates]) => publicHoliday({ name, dates, calendar: 'UK' })),
    { name: 'Group Day', kind: 'company', calendar: null, dates: [once('2026-12-11'), once('2027-12-10')] },
  ]
}

/** Holidays added since. */
export function laterHolidaysAt(now: Date) {
  return {
    stocktaking: {
      name: 'Stocktaking',
      kind: 'company',
      calendar: 'Stocktaking',
      dates: [once(lastSaturday(now))],
    },
    shortHours: {
      name: 'Short hours while the stairs are rebuilt',
      kind: 'special',
      calendar: 'Building works',
      dates: [{ from: dateAfter(now, -9), until: dateAfter(now, 120), recurring: false }],
    },
  } satisfies Record<string, Holiday>
}

/** `--MM-DD` recurs every year. If a fixed day falls on a Sunday, the Monday after it is also a holiday. */
const southAfrica = {
  "New Year's Day": ['--01-01'],
  'Human Rights Day': ['--03-21', '2027-03-22'],
  'Good Friday': ['2026-04-03', '2027-03-26'],
  'Family Day': ['2026-04-06', '2027-03-29'],
  'Freedom Day': ['--04-27'],
  "Workers' Day": ['--05-01'],
  'Youth Day': ['--06-16'],
  "National Women's Day": ['--08-09', '2026-08-10'],
  'Heritage Day': ['--09-24'],
  'Day of Reconciliation': ['--12-16'],
  'Christmas Day': ['--12-25'],
  'Day of Goodwill': ['--12-26', '2027-12-27'],
}

const england = {
  "New Year's Day": ['--01-01'],
  'Good Friday': ['2026-04-03', '2027-03-26'],
  'Easter Monday': ['2026-04-06', '2027-03-29'],
  'Early May bank holiday': ['2026-05-04', '2027-05-03'],
  'Spring bank holiday': ['2026-05-25', '2027-05-31'],
  'Summer bank holiday': ['2026-08-31', '2027-08-30'],
  'Christmas Day': ['--12-25', '2027-12-27'],
  'Boxing Day': ['--12-26', '2026-12-28', '2027-12-28'],
}

function publicHoliday({ name, dates, calendar }: { name: string; dates: readonly string[]; calendar: string }) {
  const days = dates.map((date) =>
    date.startsWith('--') ? { ...once(`2026${date.slice(1)}`), recurring: true } : once(date),
  )
  return { name, kind: 'public' as const, calendar, dates: days }
}

function once(date: string) {
  return { from: date, until: date, recurring: false }
}

function lastSaturday(now: Date) {
  const daysSince = (now.getUTCDay() + 1) % 7
  return dateAfter(now, -(daysSince === 0 ? 7 : daysSince))
}

function dateAfter(now: Date, days: number) {
  return new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
}

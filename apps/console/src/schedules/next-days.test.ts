import type { Holiday, Schedule } from '@portcullis/domain/policy'
import { expect, test } from 'vitest'
import { nextDays, todayIn } from './next-days.ts'

const schedule: Schedule = {
  _id: 'office',
  account: 'main',
  name: 'Office',
  windows: [
    { days: [1, 2, 3, 4, 5], start: '08:00', end: '17:00' },
    { days: [5], start: '22:00', end: '02:00' },
  ],
  holidayHours: { public: 'closed', company: [{ start: '09:00', end: '12:00' }], special: 'asUsual' },
}
const holiday = (name: string, kind: Holiday['kind'], date: string): Holiday => ({
  _id: name,
  account: 'main',
  name,
  kind,
  calendar: null,
  dates: [{ from: date, until: date, recurring: false }],
})

test('§4 schedules: the preview shows 14 days from today, with hours past midnight', () => {
  const days = nextDays({ schedule, holidays: [], timeZone: 'Africa/Johannesburg', today: '2026-11-20' })
  expect(days).toHaveLength(14)
  expect(days[0]).toMatchObject({
    date: '2026-11-20',
    open: [
      { from: 480, until: 1020 },
      { from: 1320, until: 1440 },
    ],
  })
  expect(days[1]).toMatchObject({ date: '2026-11-21', open: [{ from: 0, until: 120 }], holiday: undefined })
  expect(days[2]?.open).toEqual([])
})

test('§4 schedules: on a holiday the preview shows the hours that apply, and which holiday it is', () => {
  const holidays = [holiday('Day of Goodwill', 'public', '2026-11-23'), holiday('Stocktaking', 'company', '2026-11-24')]
  const days = nextDays({ schedule, holidays, timeZone: 'Africa/Johannesburg', today: '2026-11-20' })
  expect(days[3]).toMatchObject({ date: '2026-11-23', open: [], holiday: 'Day of Goodwill' })
  expect(days[4]).toMatchObject({ date: '2026-11-24', open: [{ from: 540, until: 720 }], holiday: 'Stocktaking' })
})

test('§4 schedules: today is the day at the site', () => {
  const evening = new Date('2026-11-20T23:30:00Z')
  expect(todayIn('Africa/Johannesburg', evening)).toBe('2026-11-21')
  expect(todayIn('America/New_York', evening)).toBe('2026-11-20')
})

const nights: Schedule = { ...schedule, windows: [{ days: [1, 2, 3, 4, 5, 6, 7], start: '23:00', end: '04:00' }] }

test('§4 schedules: on the day of 23 hours, the skipped hour is not open, and the day says so', () => {
  const days = nextDays({ schedule: nights, holidays: [], timeZone: 'Europe/Madrid', today: '2027-03-27' })
  expect(days[1]).toMatchObject({
    date: '2027-03-28',
    open: [
      { from: 0, until: 120 },
      { from: 180, until: 240 },
      { from: 1380, until: 1440 },
    ],
    change: { kind: 'skipped', from: 120, until: 180 },
  })
  expect([days[0]?.change, days[2]?.change]).toEqual([undefined, undefined])
})

test('§4 schedules: on the day of 25 hours, the hour that comes twice is named', () => {
  const days = nextDays({ schedule: nights, holidays: [], timeZone: 'America/New_York', today: '2026-11-01' })
  expect(days[0]).toMatchObject({ date: '2026-11-01', change: { kind: 'repeated', from: 60, until: 120 } })
})

test('§4 schedules: clocks that change at midnight belong to the day that is shorter or longer', () => {
  const [beirut] = nextDays({ schedule: nights, holidays: [], timeZone: 'Asia/Beirut', today: '2027-03-28' })
  expect(beirut).toMatchObject({
    change: { kind: 'skipped', from: 0, until: 60 },
    open: [{ from: 60, until: 240 }, {}],
  })
  const days = nextDays({ schedule: nights, holidays: [], timeZone: 'Asia/Beirut', today: '2026-10-24' })
  expect(days[0]).toMatchObject({ date: '2026-10-24', change: { kind: 'repeated', from: 1380, until: 1440 } })
})

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
  const days = nextDays({ schedule, holidays: [], today: '2026-11-20' })
  expect(days).toHaveLength(14)
  expect(days[0]).toMatchObject({
    date: '2026-11-20',
    open: [
      { from: 480, until: 1020 },
      { from: 1320, until: 1440 },
    ],
  })
  expect(days[1]).toEqual({ date: '2026-11-21', open: [{ from: 0, until: 120 }], holiday: undefined })
  expect(days[2]?.open).toEqual([])
})

test('§4 schedules: on a holiday the preview shows the hours that apply, and which holiday it is', () => {
  const holidays = [holiday('Day of Goodwill', 'public', '2026-11-23'), holiday('Stocktaking', 'company', '2026-11-24')]
  const days = nextDays({ schedule, holidays, today: '2026-11-20' })
  expect(days[3]).toEqual({ date: '2026-11-23', open: [], holiday: 'Day of Goodwill' })
  expect(days[4]).toEqual({ date: '2026-11-24', open: [{ from: 540, until: 720 }], holiday: 'Stocktaking' })
})

test('§4 schedules: today is the day at the site', () => {
  const evening = new Date('2026-11-20T23:30:00Z')
  expect(todayIn('Africa/Johannesburg', evening)).toBe('2026-11-21')
  expect(todayIn('America/New_York', evening)).toBe('2026-11-20')
})

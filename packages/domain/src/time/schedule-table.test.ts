import { expect, test } from 'vitest'
import { schedule } from '../sample-policy.ts'
import { scheduleTable } from './schedule-table.ts'

test('windows are minutes of the day, above 1440 after midnight', () => {
  const windows = [
    { days: [2, 1, 2], start: '22:00', end: '06:00' },
    { days: [1], start: '08:30', end: '24:00' },
  ]
  expect(scheduleTable(schedule({ windows }))?.windows).toEqual([
    { day: 1, from: 510, until: 1440 },
    { day: 1, from: 1320, until: 1800 },
    { day: 2, from: 1320, until: 1800 },
  ])
})

test.each([
  ['an hour that does not exist', { days: [1], start: '25:00', end: '26:00' }],
  ['a start at the end of the day', { days: [1], start: '24:00', end: '06:00' }],
  ['a day that does not exist', { days: [8], start: '08:00', end: '09:00' }],
])('a schedule with %s has no table', (_, window) => {
  expect(scheduleTable(schedule({ windows: [window] }))).toBeNull()
})

test('own hours without a window mean closed', () => {
  const holidayHours = { public: [], company: 'asUsual', special: 'closed' } as const
  expect(scheduleTable(schedule({ holidayHours }))?.holidayHours).toEqual({
    public: 'closed',
    company: 'asUsual',
    special: 'closed',
  })
})

import { expect, test } from 'vitest'
import { daysInWords, windowsInWords } from './hours-in-words.ts'
import { weekLanes } from './week-lanes.ts'

test.each([
  [[1, 2, 3, 4, 5], 'Mon to Fri'],
  [[6, 7], 'Sat and Sun'],
  [[5, 1, 3], 'Mon, Wed and Fri'],
  [[1, 2, 3, 6], 'Mon to Wed and Sat'],
  [[7], 'Sun'],
  [[], 'no day'],
])('the days %o are written as %s', (days, words) => {
  expect(daysInWords(days)).toBe(words)
})

test.each([
  [[{ days: [1, 2, 3, 4, 5], start: '06:00', end: '18:00' }], 'Mon to Fri 06:00 to 18:00'],
  [[{ days: [6], start: '20:00', end: '04:00' }], 'Sat 20:00 to 04:00 next day'],
  [[{ days: [6], start: '20:00', end: '24:00' }], 'Sat 20:00 to 24:00'],
  [[{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }], 'Mon to Sun all day'],
  [
    [
      { days: [1], start: '08:00', end: '12:00' },
      { days: [1], start: '13:00', end: '17:00' },
    ],
    'Mon 08:00 to 12:00; Mon 13:00 to 17:00',
  ],
  [[], 'never'],
])('hours are written in words', (windows, words) => {
  expect(windowsInWords(windows)).toBe(words)
})

test('hours over midnight continue in the lane of the next day, from Sunday into Monday', () => {
  const lanes = weekLanes([{ days: [7], start: '22:00', end: '06:00' }])
  expect(lanes[6]).toEqual([{ from: 1320, until: 1440 }])
  expect(lanes[0]).toEqual([{ from: 0, until: 360 }])
})

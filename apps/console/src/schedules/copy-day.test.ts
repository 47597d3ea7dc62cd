import { expect, test } from 'vitest'
import { copyDay } from './copy-day.ts'
import type { WritableWindow } from './draw-week.ts'

const week: WritableWindow[] = [
  { days: [1, 2], start: '08:00', end: '12:00' },
  { days: [1], start: '22:00', end: '06:00' },
  { days: [3], start: '10:00', end: '11:00' },
]

test('§4 schedules: days get all hours of another day, nights included, instead of their own', () => {
  expect(copyDay(week, { from: 1, to: [3, 7] })).toEqual([
    { days: [1, 2, 3, 7], start: '08:00', end: '12:00' },
    { days: [1, 3, 7], start: '22:00', end: '06:00' },
  ])
})

test('§4 schedules: a day without hours closes the days that get its hours', () => {
  expect(copyDay(week, { from: 6, to: [1, 3] })).toEqual([{ days: [2], start: '08:00', end: '12:00' }])
})

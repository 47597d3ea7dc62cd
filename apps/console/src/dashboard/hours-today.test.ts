import { expect, test } from 'vitest'
import { hoursToday } from './hours-today.ts'

/** Half past three on a Friday. */
const now = new Date(2026, 10, 20, 3, 30)
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()
const granted = (day: number, hour: number, count: number) => ({
  occurredAt: at(day, hour),
  type: 'access.granted',
  count,
})
const denied = (day: number, hour: number, count: number) => ({
  occurredAt: at(day, hour),
  type: 'access.denied',
  count,
})

test('every hour of the day is present, with its granted and denied events', () => {
  const { hours, soFar } = hoursToday({
    today: [granted(20, 1, 4), denied(20, 1, 2), granted(20, 3, 5)],
    before: [],
    now,
  })
  expect(hours.map(({ start }) => start)).toEqual(Array.from({ length: 24 }, (_, hour) => at(20, hour)))
  expect(hours[1]).toMatchObject({ granted: 4, denied: 2 })
  expect(hours[2]).toMatchObject({ granted: 0, denied: 0 })
  expect(soFar).toEqual({ granted: 9, denied: 2 })
})

test('the usual count is the average of the same weekdays with data', () => {
  const before = [granted(13, 1, 8), denied(13, 9, 2), granted(6, 1, 4), granted(19, 1, 500)]
  const { hours } = hoursToday({ today: [], before, now })
  expect(hours[1]?.usual).toEqual({ granted: 6, denied: 0 })
  expect(hours[9]?.usual).toEqual({ granted: 0, denied: 1 })
})

test('the usual count so far adds the past hours and the elapsed part of the current one', () => {
  const before = [granted(13, 1, 8), granted(13, 3, 10), granted(13, 4, 100)]
  expect(hoursToday({ today: [], before, now }).usualSoFar).toEqual({ granted: 13, denied: 0 })
})

test('a new account has no usual counts', () => {
  const day = hoursToday({ today: [granted(20, 1, 4)], before: [granted(19, 1, 4)], now })
  expect(day.usualSoFar).toBeUndefined()
  expect(day.hours.every(({ usual }) => usual === undefined)).toBe(true)
})

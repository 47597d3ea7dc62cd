import { expect, test } from 'vitest'
import { isSameClock, localMoment, momentOfLocal } from './local-moment.ts'

const newYork = 'America/New_York'
const johannesburg = 'Africa/Johannesburg'

test.each([
  ['2026-07-01T22:15:00.000Z', newYork, '2026-07-01T18:15'],
  ['2026-12-01T22:15:00.000Z', newYork, '2026-12-01T17:15'],
  ['2026-12-01T22:15:00.000Z', johannesburg, '2026-12-02T00:15'],
  ['2026-12-01T22:15:00.000Z', 'Asia/Kathmandu', '2026-12-02T04:00'],
])('§4 pickers: %s is on the clock in %s at %s, and typing that time gives the same moment', (iso, zone, local) => {
  expect(localMoment(iso, zone)).toBe(local)
  expect(momentOfLocal(local, zone)).toBe(iso)
})

test('§4 pickers: a time in an hour that is skipped is read with the offset before, and in one that is repeated as its first', () => {
  expect(momentOfLocal('2026-03-08T02:30', newYork)).toBe('2026-03-08T07:30:00.000Z')
  expect(momentOfLocal('2026-11-01T01:30', newYork)).toBe('2026-11-01T05:30:00.000Z')
})

test('§4 pickers: an empty field is no moment, and text that is not a moment stays', () => {
  expect([localMoment(null, newYork), momentOfLocal('', newYork)]).toEqual(['', null])
  expect([localMoment('soon', newYork), momentOfLocal('2026-02-30x', newYork)]).toEqual(['soon', '2026-02-30x'])
})

test('§4 lists: clocks of zones with other names agree while their offsets do', () => {
  const zones = { zone: 'Europe/London', other: 'UTC' }
  expect(isSameClock(new Date('2026-01-15T12:00:00Z'), zones)).toBe(true)
  expect(isSameClock(new Date('2026-07-15T12:00:00Z'), zones)).toBe(false)
})

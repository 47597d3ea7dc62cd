import { expect, test } from 'vitest'
import { hoursOfDay } from './hours-of-day.ts'

const now = new Date('2026-11-20T09:40:00Z')

test('§4 charts: all of the last 24 hours are shown, also those without events', () => {
  const hours = hoursOfDay([{ occurredAt: '2026-11-20T09:00:00.000Z', outcome: 'granted', count: 3 }], now)
  expect(hours).toHaveLength(24)
  expect(hours[0]).toEqual({ start: '2026-11-19T10:00:00.000Z', granted: 0, denied: 0 })
  expect(hours[23]).toEqual({ start: '2026-11-20T09:00:00.000Z', granted: 3, denied: 0 })
})

test('§4 charts: granted and denied are counted apart, and an hour that begins at half past counts where it begins', () => {
  const rows = [
    { occurredAt: '2026-11-20T07:30:00.000Z', outcome: 'granted', count: 2 },
    { occurredAt: '2026-11-20T07:30:00.000Z', outcome: 'denied', count: 5 },
    { occurredAt: '2026-11-20T07:30:00.000Z', outcome: null, count: 9 },
    { occurredAt: '2026-11-18T07:30:00.000Z', outcome: 'denied', count: 1 },
  ]
  const hours = hoursOfDay(rows, now)
  expect(hours[21]).toEqual({ start: '2026-11-20T07:00:00.000Z', granted: 2, denied: 5 })
  expect(hours.reduce((total, { denied }) => total + denied, 0)).toBe(5)
})

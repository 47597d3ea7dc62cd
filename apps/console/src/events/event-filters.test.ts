import { expect, test } from 'vitest'
import { eventFilter, matches, spanOf } from './event-filters.ts'
import { sampleEvent } from './sample-event.ts'

const now = new Date('2026-11-18T20:00:00.000Z')
const event = sampleEvent({ occurredAt: '2026-11-18T19:30:00.000Z', outcome: 'denied' })

test('nothing said about time means today', () => {
  const midnight = new Date(2026, 10, 18).toISOString()
  expect(eventFilter({}, new Date(2026, 10, 18, 20))).toEqual({ occurredAt: { gte: midnight } })
})

test('any time asks for no time at all', () => {
  expect(eventFilter({ time: 'all' }, now)).toBeUndefined()
})

test('several filters are asked together', () => {
  expect(
    eventFilter({ time: '2026-11-01T00:00:00Z..2026-11-02T00:00:00Z', outcome: 'denied', kind: 'access' }, now),
  ).toEqual({
    and: [
      { outcome: 'denied' },
      { category: 'access' },
      { occurredAt: { gte: '2026-11-01T00:00:00.000Z' } },
      { occurredAt: { lt: '2026-11-02T00:00:00.000Z' } },
    ],
  })
})

test('a range that makes no sense counts as not said', () => {
  expect(spanOf('yesterday..', now)).toEqual(spanOf(undefined, now))
})

test.each([
  [{ time: 'all' }, true],
  [{ time: 'hour' }, true],
  [{ time: 'hour', outcome: 'granted' }, false],
  [{ time: 'all', kind: 'door' }, false],
  [{ time: 'all', door: '01a1f4af-0000-7000-8000-00000000000d' }, false],
  [{ time: '2026-11-18T00:00:00Z..2026-11-18T19:30:00Z' }, false],
  [{ time: '2026-11-18T19:30:00Z..2026-11-18T19:31:00Z' }, true],
])('an event that arrives is held against the filters %o', (values, isIn) => {
  expect(matches(event, values, now)).toBe(isIn)
})

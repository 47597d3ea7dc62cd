import { expect, test } from 'vitest'
import { rangeOf, rangeValue, timeSpan } from './time-span.ts'

const now = new Date(2026, 10, 20, 18, 42)
const at = (day: number, hour = 0, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString()

test.each([
  ['1h', { from: at(20, 17, 42) }],
  ['24h', { from: at(19, 18, 42) }],
  ['today', { from: at(20), until: at(21) }],
  ['yesterday', { from: at(19), until: at(20) }],
  ['7d', { from: at(14) }],
  ['past', { until: at(20, 18, 42) }],
  ['next7d', { from: at(20, 18, 42), until: at(28) }],
])('%s follows the days of the viewer', (value, span) => {
  expect(timeSpan(value, now)).toEqual(span)
})

test('a range has two ends, or one', () => {
  expect(rangeOf('2026-01-01T08:00:00Z..2026-01-02')).toEqual({
    from: '2026-01-01T08:00:00.000Z',
    until: '2026-01-02T00:00:00.000Z',
  })
  expect(rangeOf('2026-01-01..')).toEqual({ from: '2026-01-01T00:00:00.000Z' })
  expect(rangeOf('..2026-01-01')).toEqual({ until: '2026-01-01T00:00:00.000Z' })
})

test.each(['', '..', '2026-01-01', '2026-13-01..', 'x..y', '2026-02-01..2026-01-01', '2026-01-01..2026-02-01..'])(
  '%s is no range',
  (value) => {
    expect(rangeOf(value)).toBeUndefined()
  },
)

test('a range is read as it was written', () => {
  for (const span of [{ from: at(1), until: at(2) }, { from: at(1) }, { until: at(2) }]) {
    expect(rangeOf(rangeValue(span))).toEqual(span)
  }
})

import { doors } from '@portcullis/contract/collections/doors'
import { expect, test } from 'vitest'
import type { FilterValues, ListFilter } from '../list/filters/filters.ts'
import { storedFilter, valuesOfFilter } from './report-filter.ts'

const now = new Date(2026, 10, 20, 18, 42)
const door = '019a0000-0000-7000-8000-000000000001'
const other = '019a0000-0000-7000-8000-000000000002'
const filters: ListFilter[] = [
  { name: 'time', field: 'occurredAt', label: 'Time', kind: 'instant', direction: 'past', initial: 'today' },
  {
    name: 'outcome',
    label: 'Outcome',
    kind: 'choice',
    choices: [
      { value: 'granted', label: 'Granted' },
      { value: 'denied', label: 'Denied' },
    ],
  },
  { name: 'door', label: 'Door', kind: 'reference', of: doors, isNullable: true },
  { name: 'backfilled', label: 'Late', kind: 'yesNo', yes: 'Yes', no: 'No' },
]
const range = '2026-11-14T00:00:00.000Z..2026-11-15T00:00:00.000Z'

test.each<FilterValues>([
  { time: 'all' },
  { time: range },
  { time: range, outcome: 'denied' },
  { time: 'all', door: `${door},${other}`, backfilled: 'no' },
  { time: '2026-11-14T00:00:00.000Z..', door: '~empty' },
])('§2 incident reports: a report opens with the filters that it was saved with: %o', (values) => {
  expect(valuesOfFilter(filters, storedFilter(filters, values, now))).toEqual(values)
})

test('§2 incident reports: “today” and “the last hour” are saved as their current times', () => {
  const midnight = (day: number) => new Date(2026, 10, day).toISOString()
  expect(storedFilter(filters, {}, now)).toEqual({ occurredAt: { gte: midnight(20), lt: midnight(21) } })
  expect(storedFilter(filters, { time: '1h' }, now)).toEqual({
    occurredAt: { gte: new Date(2026, 10, 20, 17, 42).toISOString(), lt: now.toISOString() },
  })
})

test('§2 incident reports: several fields in one filter are several filters', () => {
  expect(valuesOfFilter(filters, { outcome: 'denied', door: { in: [door, other] } })).toEqual({
    time: 'all',
    outcome: 'denied',
    door: `${door},${other}`,
  })
})

test.each([
  { or: [{ outcome: 'denied' }, { door }] },
  { outcome: { ne: 'denied' } },
  { occurredAt: { gt: '2026-11-14T00:00:00.000Z' } },
  { credential: door },
  { and: [{ outcome: 'denied' }, { outcome: 'granted' }] },
  { and: 'denied' },
])('§2 incident reports: a filter that the form cannot express is not shown as one: %o', (filter) => {
  expect(valuesOfFilter(filters, filter)).toBeUndefined()
})

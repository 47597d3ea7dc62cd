import { expect, test } from 'vitest'
import { dueInWords } from './due-in-words.ts'

const now = new Date('2026-11-20T12:00:00.000Z')

test.each([
  [null, 'overdue', 'Never recertified'],
  ['2026-11-08T12:00:00.000Z', 'overdue', '12 days overdue'],
  ['2026-11-19T12:00:00.000Z', 'overdue', '1 day overdue'],
  ['2026-11-20T12:00:00.000Z', 'overdue', 'Overdue since today'],
  ['2026-11-20T12:00:00.001Z', 'due_soon', 'Due today'],
  ['2026-11-22T12:00:00.000Z', 'due_soon', 'Due in 2 days'],
  ['2026-12-20T12:00:00.000Z', 'due_soon', 'Due in 30 days'],
  ['2026-12-20T12:00:00.001Z', 'certified', 'Due in 30 days'],
])('a user to recertify by %s is %s: %s', (recertifyBy, state, words) => {
  expect(dueInWords({ recertifyBy }, now)).toEqual({ state, words })
})

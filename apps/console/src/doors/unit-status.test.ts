import { units } from '@portcullis/contract/collections/units'
import { expect, test } from 'vitest'
import { itemOf } from '../routes/test-answers.ts'
import { watchLeftOut } from './unit-status.ts'

const full = itemOf(units, { name: 'Gatehouse', serial: 'PC-1', capacityExceededSince: '2026-01-05T09:00:00.000Z' })
const capacity = { doors: 1, credentials: 10, schedules: 4, events: 50 }

test.each([
  [{ lastHeartbeatAt: '2026-01-05T09:01:00.000Z' }, false],
  [{ capacityExceededSince: null }, true],
  [{ desiredVersion: 6 }, true],
  [{ appliedVersion: 6 }, true],
  [{ capacity }, true],
  [{ configSize: { doors: 4, credentials: 10, schedules: 4 } }, true],
] as const)('after %j, what a controller leaves out is read again: %s', (changes, isRead) => {
  const noteSaved = watchLeftOut()
  expect(noteSaved(full)).toBe(true)
  expect(noteSaved({ ...full, ...changes })).toBe(isRead)
  expect(noteSaved({ ...full, _id: 'another' })).toBe(true)
})

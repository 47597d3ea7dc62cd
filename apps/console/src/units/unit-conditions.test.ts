import { expect, test } from 'vitest'
import { termOf } from '../list/filters/filters.ts'
import { conditionFilter, conditionsOf } from './unit-conditions.tsx'

const at = '2026-11-20T10:00:00.000Z'
const none = {
  status: 'online' as const,
  tamperedSince: null,
  capacityExceededSince: null,
  clockWrongSince: null,
  onBatterySince: null,
  outOfSyncSince: null,
}

test('the conditions of a controller are listed with the most serious first', () => {
  expect(conditionsOf(none)).toEqual([])
  expect(conditionsOf({ ...none, outOfSyncSince: at, clockWrongSince: at, tamperedSince: at })).toEqual([
    { condition: 'tampered', state: 'tampered', since: at },
    { condition: 'clockWrong', state: 'clock_wrong', since: at },
    { condition: 'outOfSync', state: 'out_of_step', since: at },
  ])
})

test('the list of controllers is filtered by one condition or several', () => {
  const now = new Date(at)
  expect(termOf(conditionFilter, { value: 'onBattery', now })).toEqual({ onBatterySince: { exists: true } })
  expect(termOf(conditionFilter, { value: 'tampered,outOfSync', now })).toEqual({
    or: [{ tamperedSince: { exists: true } }, { outOfSyncSince: { exists: true } }],
  })
})

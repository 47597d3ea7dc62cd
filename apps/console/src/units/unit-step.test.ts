import { expect, test } from 'vitest'
import { unitState, unitStep } from './unit-step.ts'

const unit = {
  inService: true,
  status: 'online',
  enrolledAt: '2026-11-20T10:00:00.000Z',
  desiredVersion: 13,
  appliedVersion: 13,
  rejection: null,
} as const

test('a controller that has applied the wanted version is in step', () => {
  expect(unitStep(unit)).toEqual({ state: 'in_step', words: 'has version 13' })
})

test('a controller with another version is out of step, and says which it has and which it should have', () => {
  expect(unitStep({ ...unit, appliedVersion: 12 })).toEqual({ state: 'out_of_step', words: 'has 12, wants 13' })
  expect(unitStep({ ...unit, appliedVersion: null })).toEqual({ state: 'out_of_step', words: 'has none, wants 13' })
})

test('a controller that refused its configuration says why, until it has applied the wanted one', () => {
  const refused = { ...unit, appliedVersion: 12, rejection: 'too many credentials' }
  expect(unitStep(refused)).toEqual({ state: 'rejected', words: 'Refused its configuration: too many credentials' })
  expect(unitStep({ ...refused, appliedVersion: 13 }).state).toBe('in_step')
})

test('a controller for which nothing was compiled yet waits', () => {
  expect(unitStep({ ...unit, desiredVersion: null, appliedVersion: null }).state).toBe('waiting')
})

test('out of service is said before anything else', () => {
  expect(unitState({ ...unit, inService: false })).toBe('out_of_service')
  expect(unitState({ ...unit, status: 'offline' })).toBe('offline')
})

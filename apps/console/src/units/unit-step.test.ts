import { expect, test } from 'vitest'
import { unitState, unitStep } from './unit-step.ts'

const unit = {
  inService: true,
  status: 'online',
  enrolledAt: '2026-11-20T10:00:00.000Z',
  desiredVersion: 13,
  appliedVersion: 13,
  rejection: null,
  fault: null,
  capacityExceededSince: null,
} as const

test('a controller that has applied the desired version is in sync', () => {
  expect(unitStep(unit)).toEqual({ state: 'in_step', words: 'version 13 applied' })
})

test('a controller over its capacity is not in sync, although it has applied all that it has room for', () => {
  const full = { ...unit, capacityExceededSince: '2026-11-20T10:00:00.000Z' }
  expect(unitStep(full)).toEqual({ state: 'too_much', words: 'version 13 applied' })
  expect(unitStep({ ...full, appliedVersion: 12 }).state).toBe('out_of_step')
})

test('a controller with another version is out of sync, and shows both versions', () => {
  expect(unitStep({ ...unit, appliedVersion: 12 })).toEqual({ state: 'out_of_step', words: 'applied 12, desired 13' })
  expect(unitStep({ ...unit, appliedVersion: null })).toEqual({
    state: 'out_of_step',
    words: 'none applied, desired 13',
  })
})

test('a controller that rejected its configuration shows why, until it has applied the desired one', () => {
  const refused = { ...unit, appliedVersion: 12, rejection: 'no_room: 12 bytes' }
  const words = (reason: string) => unitStep({ ...refused, rejection: reason }).words
  expect(unitStep(refused)).toEqual({
    state: 'rejected',
    words: 'Configuration rejected: the controller has no room for it',
  })
  expect(words('bad_hash')).toBe('Configuration rejected: the configuration was damaged on the way')
  expect(words('Flash error 7')).toBe('Configuration rejected: the controller reports “Flash error 7”')
  expect(unitStep({ ...refused, appliedVersion: 13 }).state).toBe('in_step')
})

test('a controller without a current configuration shows why, whatever version it has applied', () => {
  expect(unitStep({ ...unit, fault: 'implausible_version' })).toEqual({
    state: 'failed',
    words:
      'The controller reports a configuration that this server did not send. It gets no changes until you reset it and enrol it again.',
  })
})

test('a controller behind the policy is out of sync, also with the desired version applied, and shows what to do', () => {
  const { state, words } = unitStep({ ...unit, fault: 'behind_policy' })
  expect(state).toBe('out_of_step')
  expect(words).toMatch(/not prepared the latest changes.*check the server’s log/)
})

test('a controller for which nothing was compiled yet waits', () => {
  expect(unitStep({ ...unit, desiredVersion: null, appliedVersion: null }).state).toBe('waiting')
})

test('disabled is shown before any other state', () => {
  expect(unitState({ ...unit, inService: false })).toBe('out_of_service')
  expect(unitState({ ...unit, status: 'offline' })).toBe('offline')
})

import { expect, test } from 'vitest'
import { modeSteps } from './mode-steps.ts'

const at = {
  requested: '2026-11-20T10:00:00.000Z',
  sent: '2026-11-20T10:00:01.000Z',
  before: '2026-11-20T09:00:00.000Z',
}

test('§4 doors: what is wanted is requested until it was told to the controller, and sent until it has answered', () => {
  const wanted = { modeVersion: 3, appliedModeVersion: 2, modeSetAt: at.requested, modeAppliedAt: at.before }
  expect(modeSteps({ ...wanted, modeSentAt: at.before })).toEqual({
    is: 'requested',
    at: at.requested,
    isConfirmed: false,
  })
  expect(modeSteps({ ...wanted, modeSentAt: at.sent })).toEqual({ is: 'sent', at: at.sent, isConfirmed: false })
})

test('§4 doors: it is confirmed only with the version that is wanted', () => {
  const door = {
    modeVersion: 3,
    appliedModeVersion: 3,
    modeSetAt: at.requested,
    modeSentAt: at.sent,
    modeAppliedAt: at.sent,
  }
  expect(modeSteps(door)).toEqual({ is: 'confirmed', at: at.sent, isConfirmed: true })
})

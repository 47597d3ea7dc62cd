import { expect, test } from 'vitest'
import { modeSteps } from './mode-steps.ts'

const at = {
  requested: '2026-11-20T10:00:00.000Z',
  sent: '2026-11-20T10:00:01.000Z',
  before: '2026-11-20T09:00:00.000Z',
}

test('§4 doors: a mode is requested until it is sent to the controller, and sent until the controller answers', () => {
  const newMode = { modeVersion: 3, appliedModeVersion: 2, modeSetAt: at.requested, modeAppliedAt: at.before }
  expect(modeSteps({ ...newMode, modeSentAt: at.before })).toEqual({
    is: 'requested',
    at: at.requested,
    isConfirmed: false,
  })
  expect(modeSteps({ ...newMode, modeSentAt: at.sent })).toEqual({ is: 'sent', at: at.sent, isConfirmed: false })
})

test('§4 doors: a mode is confirmed only with the desired version', () => {
  const door = {
    modeVersion: 3,
    appliedModeVersion: 3,
    modeSetAt: at.requested,
    modeSentAt: at.sent,
    modeAppliedAt: at.sent,
  }
  expect(modeSteps(door)).toEqual({ is: 'confirmed', at: at.sent, isConfirmed: true })
})

import { expect, test } from 'vitest'
import { idleState } from './idle-state.ts'

const lastActivityAt = Date.parse('2026-03-02T08:00:00Z')

test.each([
  [0, { is: 'active' }],
  [299_999, { is: 'active' }],
  [300_000, { is: 'warned', secondsLeft: 60 }],
  [300_001, { is: 'warned', secondsLeft: 60 }],
  [301_000, { is: 'warned', secondsLeft: 59 }],
  [359_999, { is: 'warned', secondsLeft: 1 }],
  [360_000, { is: 'over' }],
])('§4 idle: %i ms after the last activity of a user with 300 s', (afterMs, state) => {
  expect(idleState({ lastActivityAt, idleTimeS: 300, now: lastActivityAt + afterMs })).toEqual(state)
})

test('§4 idle: a computer that slept past the end is logged out at once on waking, without a countdown', () => {
  const now = lastActivityAt + 8 * 3_600_000
  expect(idleState({ lastActivityAt, idleTimeS: 300, now })).toEqual({ is: 'over' })
})

test('§4 idle: the shortest idle time has its whole warning', () => {
  const now = lastActivityAt + 5_000
  expect(idleState({ lastActivityAt, idleTimeS: 5, now })).toEqual({ is: 'warned', secondsLeft: 60 })
})

test('§4 idle: a clock that was set back makes no user idle', () => {
  expect(idleState({ lastActivityAt, idleTimeS: 5, now: lastActivityAt - 60_000 })).toEqual({ is: 'active' })
})

import { expect, test } from 'vitest'
import { modeAt } from './door-mode.ts'

const until = '2026-11-20T18:00:00.000Z'

test('§3 door modes: a mode with an end applies until then, and the schedule from then on', () => {
  const desired = { mode: 'unlocked', modeUntil: until } as const
  expect(modeAt(desired, Date.parse(until) - 1)).toBe('unlocked')
  expect(modeAt(desired, Date.parse(until))).toBe('normal')
})

test('§3 door modes: a mode without an end applies until it is changed', () => {
  expect(modeAt({ mode: 'lockdown', modeUntil: null }, Date.parse(until))).toBe('lockdown')
  expect(modeAt({ mode: 'blocked' }, Date.parse(until))).toBe('blocked')
})

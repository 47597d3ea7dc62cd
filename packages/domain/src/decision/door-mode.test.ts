import { expect, test } from 'vitest'
import { modeAt } from './door-mode.ts'

const until = '2026-11-20T18:00:00.000Z'

test('§3 door modes: a mode with an end holds until that moment, and from it on the schedule does', () => {
  const wanted = { mode: 'unlocked', modeUntil: until } as const
  expect(modeAt(wanted, Date.parse(until) - 1)).toBe('unlocked')
  expect(modeAt(wanted, Date.parse(until))).toBe('normal')
})

test('§3 door modes: a mode without an end holds until it is changed', () => {
  expect(modeAt({ mode: 'lockdown', modeUntil: null }, Date.parse(until))).toBe('lockdown')
  expect(modeAt({ mode: 'blocked' }, Date.parse(until))).toBe('blocked')
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HandshakeLimits } from './handshake-limits.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('an address that is refused again and again must wait, others need not', () => {
  const limits = new HandshakeLimits()
  for (let attempt = 0; attempt < 60; attempt++) {
    expect(limits.admit('10.0.0.1')).toBe(true)
    limits.refused('10.0.0.1')
    limits.done('10.0.0.1')
  }
  expect(limits.admit('10.0.0.1')).toBe(false)
  expect(limits.admit('10.0.0.2')).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(limits.admit('10.0.0.1')).toBe(true)
})

test('a site of 200 units may come back at once', () => {
  const limits = new HandshakeLimits()
  for (let unit = 0; unit < 200; unit++) expect(limits.admit('10.0.0.1')).toBe(true)
  expect(limits.admit('10.0.0.1')).toBe(false)
  limits.done('10.0.0.1')
  expect(limits.admit('10.0.0.1')).toBe(true)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { oneLongStep } from './one-long-step.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(async () => {
  await vi.runAllTimersAsync()
  vi.useRealTimers()
})

test('after a long step, the next one waits for twice as long as that step took', async () => {
  const next = vi.fn<() => void>()
  const first = oneLongStep(() => void vi.advanceTimersByTime(30))
  const second = oneLongStep(next)
  await first
  await vi.advanceTimersByTimeAsync(59)
  expect(next).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(next).toHaveBeenCalled()
  await second
})

test('a step that fails does not stop those after it', async () => {
  const failed = oneLongStep(() => {
    throw new Error('invalid')
  })
  const next = oneLongStep(() => 'done')
  await expect(failed).rejects.toThrow('invalid')
  await vi.runAllTimersAsync()
  expect(await next).toBe('done')
})

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
  const first = oneLongStep('a', () => void vi.advanceTimersByTime(30))
  const second = oneLongStep('a', next)
  await first
  await vi.advanceTimersByTimeAsync(59)
  expect(next).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(next).toHaveBeenCalled()
  await second
})

test('a step that fails does not stop those after it', async () => {
  const failed = oneLongStep('a', () => {
    throw new Error('invalid')
  })
  const next = oneLongStep('a', () => 'done')
  await expect(failed).rejects.toThrow('invalid')
  await vi.runAllTimersAsync()
  expect(await next).toBe('done')
})

test('after a very long step, the next one waits for 2 s', async () => {
  const next = vi.fn<() => void>()
  const first = oneLongStep('a', () => void vi.advanceTimersByTime(30_000))
  const second = oneLongStep('a', next)
  await first
  await vi.advanceTimersByTimeAsync(1_999)
  expect(next).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(next).toHaveBeenCalled()
  await second
})

test('the steps of one account tree let those of another one pass', async () => {
  const order: string[] = []
  const steps = ['a', 'a', 'a', 'b'].map((key) => oneLongStep(key, () => order.push(key)))
  await vi.runAllTimersAsync()
  await Promise.all(steps)
  expect(order).toEqual(['a', 'b', 'a', 'a'])
})

import { expect, onTestFinished, test, vi } from 'vitest'
import { TokenBuckets } from './token-buckets.ts'

test('each key has a bucket of its own, which is dropped once it is full again and another is used', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const buckets = new TokenBuckets({ burst: 2, perSecond: 1 })
  const first = buckets.of('a')
  first.spend(2)
  expect(buckets.of('b').trySpend(2)).toBe(true)
  expect(buckets.of('a')).toBe(first)
  expect(first.trySpend(1)).toBe(false)
  vi.advanceTimersByTime(2_000)
  buckets.of('b')
  buckets.of('c')
  expect(buckets.of('a')).not.toBe(first)
})

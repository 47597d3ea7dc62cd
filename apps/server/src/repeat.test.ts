import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeat } from './repeat.ts'

let begun: PromiseWithResolvers<void>[]
let logged: string[]
let loop: ReturnType<typeof repeat>
beforeEach(() => {
  vi.useFakeTimers()
  begun = []
  logged = []
  const log = { warn: (_about: unknown, message = '') => void logged.push(message) }
  loop = repeat({ everyMs: 100, log, failure: 'it failed' }, () => {
    const work = Promise.withResolvers<void>()
    begun.push(work)
    return work.promise
  })
})
afterEach(() => vi.useRealTimers())

test('work that takes longer than the interval does not run twice at a time', async () => {
  await vi.advanceTimersByTimeAsync(350)
  expect(begun).toHaveLength(1)
  begun[0]?.resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect(begun).toHaveLength(2)
})

test('a failure is logged, and the work runs again', async () => {
  await vi.advanceTimersByTimeAsync(100)
  begun[0]?.reject(new Error('The database is away.'))
  await vi.advanceTimersByTimeAsync(100)
  expect(logged).toEqual(['it failed'])
  expect(begun).toHaveLength(2)
})

test('once stopped, it has waited for running work and begins no other', async () => {
  await vi.advanceTimersByTimeAsync(100)
  let isStopped = false
  const stopped = loop.stop().then(() => (isStopped = true))
  await vi.advanceTimersByTimeAsync(300)
  expect(isStopped).toBe(false)
  begun[0]?.resolve()
  await stopped
  await vi.advanceTimersByTimeAsync(300)
  expect(begun).toHaveLength(1)
})

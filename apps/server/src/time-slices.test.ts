import { setImmediate } from 'node:timers'
import { expect, test } from 'vitest'
import { runInSlices } from './time-slices.ts'

test('other work runs whenever a slice of time has passed, however long all steps take together', async () => {
  let milliseconds = 0
  let longest = 0
  let since = 0
  let isDone = false
  const others = () => {
    longest = Math.max(longest, milliseconds - since)
    since = milliseconds
    if (!isDone) setImmediate(others)
  }
  setImmediate(others)
  function* work() {
    for (; milliseconds < 200; milliseconds++) yield
    return 'done'
  }
  expect(await runInSlices(work(), () => milliseconds)).toBe('done')
  isDone = true
  expect(since).toBeGreaterThan(190)
  expect(longest).toBeLessThanOrEqual(10)
})

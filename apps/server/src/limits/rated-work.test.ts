import { expect, onTestFinished, test, vi } from 'vitest'
import { RatedWork } from './rated-work.ts'

test('work beyond the rate waits, only the latest of a key begins, and other keys do not wait', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const begun: string[] = []
  const rated = new RatedWork({ burst: 3, perSecond: 1 / 1_200 })
  const run = (key: string, name: string) => rated.run(key, () => void begun.push(name))
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) run('a', name)
  run('b', 'b1')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1'])
  vi.advanceTimersByTime(19 * 60_000)
  expect(begun).toHaveLength(4)
  vi.advanceTimersByTime(2 * 60_000)
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a5'])
  run('a', 'a6')
  expect(begun).toHaveLength(5)
  vi.advanceTimersByTime(20 * 60_000)
  expect(begun.at(-1)).toBe('a6')
  run('a', 'a7')
  rated.stop()
  vi.advanceTimersByTime(60 * 60_000)
  expect(begun.at(-1)).toBe('a6')
})

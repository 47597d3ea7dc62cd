import { expect, test } from 'vitest'
import { type Outcome, runBatch } from './run-batch.ts'

const items = ['a', 'b', 'c', 'd', 'e']

/** Runs a batch, and keeps the last result of each item. */
async function outcomesOf(run: (item: string) => Promise<string | undefined>, signal = new AbortController().signal) {
  const outcomes = new Map<string, Outcome>()
  await runBatch(items, { run, atOnce: 2, signal, onOutcome: (item, outcome) => outcomes.set(item, outcome) })
  return outcomes
}

test('§4 bulk: each item has its own result, and one that fails leaves the others alone', async () => {
  const error = new Error('in use')
  const outcomes = await outcomesOf(async (item) => {
    if (item === 'b') throw error
  })
  expect([...outcomes]).toEqual([
    ['a', { state: 'done' }],
    ['b', { state: 'failed', error }],
    ['c', { state: 'done' }],
    ['d', { state: 'done' }],
    ['e', { state: 'done' }],
  ])
})

test('§4 bulk: no more run at the same time than the limit allows', async () => {
  let [running, most] = [0, 0]
  await outcomesOf(async () => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
  })
  expect(most).toBe(2)
})

test('§4 bulk: stopped, it finishes the running items and starts no more', async () => {
  const abort = new AbortController()
  const outcomes = await outcomesOf(async (item) => {
    if (item === 'b') abort.abort()
  }, abort.signal)
  expect([...outcomes.values()].map(({ state }) => state)).toEqual([
    'done',
    'done',
    'cancelled',
    'cancelled',
    'cancelled',
  ])
})

import { expect, test } from 'vitest'
import { batchById } from './batch-by-id.ts'

function names(ids: string[]) {
  return Promise.resolve(new Map(ids.map((id) => [id, `name of ${id}`])))
}

test('names that are requested together are looked up together, each once', async () => {
  const requested: string[][] = []
  const ask = batchById((ids) => (requested.push(ids), names(ids)), { maxIds: 10 })
  expect(await Promise.all([ask('a'), ask('b'), ask('a')])).toEqual(['name of a', 'name of b', 'name of a'])
  expect(requested).toEqual([['a', 'b']])
})

test('a lookup never contains more ids than the server accepts', async () => {
  const requested: string[][] = []
  const ask = batchById((ids) => (requested.push(ids), names(ids)), { maxIds: 2 })
  await Promise.all(['a', 'b', 'c'].map(ask))
  expect(requested).toEqual([['a', 'b'], ['c']])
})

test('a missing name is answered with undefined', async () => {
  const ask = batchById<string>(() => Promise.resolve(new Map()), { maxIds: 10 })
  expect(await ask('gone')).toBeUndefined()
})

test('a failed lookup fails for all waiting callers, and the next call looks up again', async () => {
  let isDown = true
  const ask = batchById((ids) => (isDown ? Promise.reject(new Error('down')) : names(ids)), { maxIds: 10 })
  await expect(Promise.all([ask('a'), ask('b')])).rejects.toThrow('down')
  isDown = false
  expect(await ask('a')).toBe('name of a')
})

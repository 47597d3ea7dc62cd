import { expect, test } from 'vitest'
import { GatheredWork } from './gathered-work.ts'

type Batch = { items: readonly number[]; end: () => void }

function gathering(mostAtOnce = 100) {
  const batches: Batch[] = []
  const work = (items: readonly number[]) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    batches.push({ items, end: resolve })
    return promise.then(() => {
      if (items.includes(13)) throw new Error('13 cannot be stored')
      return items.map((item) => item * 2)
    })
  }
  return { batches, gathered: new GatheredWork(work, mostAtOnce) }
}

async function end(batches: readonly Batch[], index: number) {
  await expect.poll(() => batches.length).toBe(index + 1)
  batches[index]?.end()
}

test('items gather while earlier ones are worked on, and each gets its own result', async () => {
  const { batches, gathered } = gathering(3)
  const results = [1, 2, 3, 4, 5].map((item) => gathered.add(item))
  await end(batches, 0)
  expect(await results[0]).toBe(2)
  await end(batches, 1)
  expect(await Promise.all(results.slice(1, 4))).toEqual([4, 6, 8])
  await end(batches, 2)
  expect(await results[4]).toBe(10)
  expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5]])
})

test('items fail together, and the work goes on with the next ones', async () => {
  const { batches, gathered } = gathering()
  const failed = gathered.add(13)
  const next = gathered.add(1)
  await end(batches, 0)
  await expect(failed).rejects.toThrow('13 cannot be stored')
  await end(batches, 1)
  expect(await next).toBe(2)
})

import { expect, test } from 'vitest'
import { scalarBundle, sharedUnlessFailed } from './scalar-bundle.ts'

test('all readers of the reference page get the same bytes', async () => {
  const [first, second] = await Promise.all([scalarBundle(), scalarBundle()])
  expect(second.plain).toBe(first.plain)
  expect(second.gzipped).toBe(first.gzipped)
  expect(first.gzipped.length).toBeLessThan(first.plain.length / 2)
})

test('after a failure the next request loads it again', async () => {
  let loads = 0
  const shared = sharedUnlessFailed(async () => {
    loads += 1
    if (loads === 1) throw new Error('The disk is busy.')
    return { loads }
  })
  await expect(shared()).rejects.toThrow('The disk is busy.')
  const [second, third] = await Promise.all([shared(), shared()])
  expect(second).toEqual({ loads: 2 })
  expect(third).toBe(second)
})

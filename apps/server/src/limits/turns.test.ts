import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

const begun: string[] = []

function work(name: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    end: resolve,
    run: async () => {
      begun.push(name)
      await promise
      return name
    },
  }
}

test('work of one key waits for its turn, in order, and work of another does not', async () => {
  const turns = new Turns({ most: 1, waiting: 1 })
  const [first, second, other] = [work('first'), work('second'), work('other')]
  const done = [turns.take('a', first.run), turns.take('a', second.run), turns.take('b', other.run)]
  expect(begun).toEqual(['first', 'other'])
  await expect(turns.take('a', work('third').run)).rejects.toMatchObject({ code: 'too_many', retryAfterSeconds: 1 })
  first.end()
  await done[0]
  expect(begun).toEqual(['first', 'other', 'second'])
  second.end()
  other.end()
  expect(await Promise.all(done)).toEqual(['first', 'second', 'other'])
})

test('failed work ends its turn', async () => {
  const turns = new Turns({ most: 1, waiting: 0 })
  const fails = () => Promise.reject(new Error('It failed.'))
  await expect(turns.take('a', fails)).rejects.toThrow('It failed.')
  expect(await turns.take('a', async () => 'next')).toBe('next')
})

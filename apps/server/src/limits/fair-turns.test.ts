import { expect, test } from 'vitest'
import { FairTurns } from './fair-turns.ts'

function startedBy(turns: FairTurns) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const start = (key: string, name: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.set(name, resolve)
    return turns.take({ key }, async () => {
      begun.push(name)
      await promise
    })
  }
  return { begun, start, end: (name: string) => ends.get(name)?.() }
}

test('work of a key that waits behind much work of another begins as soon as one turn ends', async () => {
  const { begun, start, end } = startedBy(new FairTurns({ most: 2, ofKey: 4 }))
  const done = ['a1', 'a2', 'a3', 'a4'].map((name) => start('a', name))
  done.push(start('b', 'b1'))
  expect(begun).toEqual(['a1', 'a2'])
  end('a1')
  await done[0]
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  end('a2')
  await done[1]
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  for (const name of ['b1', 'a3', 'a4']) end(name)
  await done[2]
  end('a4')
  await Promise.all(done)
})

test('only the key with too much work is refused, and failed work ends its turn', async () => {
  const turns = new FairTurns({ most: 1, ofKey: 2 })
  const { start, end } = startedBy(turns)
  const done = [start('a', 'a1'), start('a', 'a2')]
  await expect(start('a', 'a3')).rejects.toMatchObject({ code: 'too_many', retryAfterSeconds: 10 })
  const failed = turns.take({ key: 'b' }, () => Promise.reject(new Error('It failed.')))
  end('a1')
  end('a2')
  await Promise.all(done)
  await expect(failed).rejects.toThrow('It failed.')
  expect(await turns.take({ key: 'b' }, async () => 'next')).toBe('next')
})

test('work that is aborted while it waits does not begin, and the next one does', async () => {
  const turns = new FairTurns({ most: 1, ofKey: 3 })
  const { begun, start, end } = startedBy(turns)
  const aborting = new AbortController()
  const first = start('a', 'a1')
  const aborted = turns.take({ key: 'a', signal: aborting.signal }, async () => void begun.push('a2'))
  const next = start('a', 'a3')
  aborting.abort()
  end('a1')
  end('a3')
  await expect(aborted).rejects.toThrow('aborted')
  await Promise.all([first, next])
  expect(begun).toEqual(['a1', 'a3'])
})

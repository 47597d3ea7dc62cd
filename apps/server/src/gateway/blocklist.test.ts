import { limits } from '@portcullis/contract/unit-protocol/frames'
import { expect, test } from 'vitest'
import { Blocklist } from './blocklist.ts'

test('credentials that have ended are blocked, also again, and only blocked ones are unblocked, each once', () => {
  const list = new Blocklist(['a'])
  expect(list.take({ ended: ['a', 'b'], usable: ['c'] })).toEqual([{ block: ['a', 'b'], unblock: [] }])
  expect(list.take({ ended: [], usable: ['a', 'c'] })).toEqual([{ block: [], unblock: ['a'] }])
  expect(list.take({ ended: [], usable: ['a'] })).toEqual([])
  expect(list.blocked).toEqual(['b'])
})

test('of more credentials than a unit can block, the last ones count', () => {
  const ended = Array.from({ length: limits.blockedCredentials + 1 }, (_, at) => `c${at}`)
  const list = new Blocklist(['first'])
  expect(list.take({ ended, usable: [] })).toEqual([{ block: ended.slice(1), unblock: [] }])
  expect(list.blocked).toEqual(['first', ...ended.slice(1)])
})

test('all of many credentials are unblocked, in several frames', () => {
  const [first, second] = ['a', 'b'].map((name) => Array.from({ length: 200 }, (_, at) => `${name}${at}`))
  const list = new Blocklist([])
  for (const ended of [first, second]) list.take({ ended: ended ?? [], usable: [] })
  const usable = [...(second ?? []), ...(first ?? [])]
  expect(list.take({ ended: [], usable }).flatMap(({ unblock }) => unblock)).toEqual(usable)
})

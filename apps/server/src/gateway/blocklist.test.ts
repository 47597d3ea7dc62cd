import { limits } from '@portcullis/contract/unit-protocol/frames'
import { expect, test } from 'vitest'
import { Blocklist } from './blocklist.ts'

test('credentials that have ended are blocked, also again, and only blocked ones are unblocked, each once', () => {
  const list = new Blocklist(['a'])
  expect(list.take({ ended: ['a', 'b'], usable: ['c'] })).toEqual({ block: ['a', 'b'], unblock: [] })
  expect(list.take({ ended: [], usable: ['a', 'c'] })).toEqual({ block: [], unblock: ['a'] })
  expect(list.take({ ended: [], usable: ['a'] })).toBeUndefined()
  expect(list.blocked).toEqual(['b'])
})

test('of more credentials than a unit can block, the last ones count', () => {
  const ended = Array.from({ length: limits.blockedCredentials + 1 }, (_, at) => `c${at}`)
  const list = new Blocklist(['first'])
  expect(list.take({ ended, usable: [] })?.block).toEqual(ended.slice(1))
  expect(list.blocked).toEqual(['first', ...ended.slice(1)])
})

import { policyIndex } from '@portcullis/domain/decision/index-policy'
import { samplePolicy } from '@portcullis/domain/sample-policy'
import { expect, test } from 'vitest'
import type { IdleWork } from '../policy/followed-tree.ts'
import type { CurrentPolicy } from '../policy/policies.ts'
import { whileItLasts } from './while-it-lasts.ts'

const policy: CurrentPolicy = {
  root: 1,
  version: 1,
  state: {},
  hasAllUntil: () => true,
  index: policyIndex(samplePolicy()),
  unreadable: [],
  blocking: [],
}

const account = { key: 1, root: 1 }

test('work for which there is no more time ends as unavailable', async () => {
  let turns = 0
  const idle = {
    latestOfAccount: async () => policy,
    whileIdle<T>(_root: number, { work, throwIfOver }: IdleWork<T>) {
      throwIfOver()
      return work(policy, () => true)
    },
  }
  const endless = whileItLasts(idle, {
    account,
    signal: undefined,
    hasTime: () => (turns += 1) <= 3,
    *steps() {
      for (;;) yield
    },
  })
  await expect(endless).rejects.toMatchObject({ code: 'unavailable' })
  expect(turns).toBe(4)
})

test('work on a policy that takes too long to load ends as unavailable', async () => {
  const never = Promise.withResolvers<never>().promise
  const loading = { latestOfAccount: () => never, whileIdle: () => never }
  const waiting = whileItLasts(loading, { account, signal: undefined, hasTime: () => false, *steps() {} })
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' })
})

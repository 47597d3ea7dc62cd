import { afterAll, expect, onTestFinished, test } from 'vitest'
import { ChangeFeed } from '../changes/change-feed.ts'
import { recordChanges } from '../changes/record-change.ts'
import { makeItem } from '../collections/test-items.ts'
import { Database, type Transaction } from '../database/database.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { startTestServer } from '../test-server.ts'
import { FollowedTree } from './followed-tree.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask, database, logins } = server
const root = await server.keyOf(server.account)

/** A policy that is not loaded yet, and runs `interrupt` before one of its next reads. */
async function followedTree() {
  const hook = { reads: Infinity, interrupt: async () => {} }
  const interrupted = new (class extends Database {
    override async asSystem<T>(work: (tx: Transaction) => Promise<T>) {
      hook.reads -= 1
      if (hook.reads === 0) await hook.interrupt()
      return super.asSystem(work)
    }
  })({ logins, connections: 2 })
  onTestFinished(() => interrupted.close())
  const ended: string[] = []
  // A feed that has delivered nothing: each update reads the changes itself.
  const silent = new ChangeFeed({ database, logins, notify: 'off' })
  const tree = new FollowedTree({
    root,
    database: interrupted,
    delivered: silent.listen('test', () => {}),
    numbers: testNumbers(),
    onUpdate: ({ credentials }) => void ended.push(...credentials.ended),
    onUnreadable() {},
  })
  onTestFinished(() => tree.stop())
  return { tree, ended, hook }
}

async function cardholder() {
  const { _id: user } = await makeItem({ ask, collection: 'users' })
  const { _id: card } = await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', number: user, user } })
  const suspend = async () => {
    await ask('PATCH', `/api/users/${user}`, { body: { status: 'suspended' } })
  }
  return { card, suspend }
}

test('access that ends while a policy is read for the first time is announced', async () => {
  const { tree, ended, hook } = await followedTree()
  const { card, suspend } = await cardholder()
  // Before its first read: the index has the end of access already, when the change that names it is applied.
  Object.assign(hook, { reads: 1, interrupt: suspend })
  await tree.load()
  expect(ended).toContain(card)
})

test('access that ends while the whole policy is read again is announced', async () => {
  const { tree, ended, hook } = await followedTree()
  const { card, suspend } = await cardholder()
  await tree.load()
  // The first update after a load announces every end of access.
  await tree.catchUp()
  await database.asSystem((tx) =>
    recordChanges(tx, [{ account: root, collection: 'users', item: card, action: 'reread', isPolicy: true }]),
  )
  ended.length = 0
  // The first read of the update finds the changes, the second one is of the whole policy.
  Object.assign(hook, { reads: 2, interrupt: suspend })
  await tree.catchUp()
  await tree.catchUp()
  expect(ended).toEqual([card])
})

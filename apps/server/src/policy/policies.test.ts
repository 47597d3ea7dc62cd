import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { ChangeFeed } from '../changes/change-feed.ts'
import { recordChanges } from '../changes/record-change.ts'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'
import { testNumbers } from '../numbers/test-numbers.ts'
import { Policies, type PolicyChange } from './policies.ts'

const server = await startTestServer()
const { database, logins } = server
const feed = new ChangeFeed({ database, logins })
await feed.start()
const policies = new Policies({ database, feed, numbers: testNumbers() })
const root = await server.keyOf(server.account)
afterAll(async () => {
  policies.stop()
  await feed.stop()
  await server.stop()
})

test('concurrent requests share one load of a policy, and a later change is taken over, not loaded again', async () => {
  const loaded = await Promise.all(Array.from({ length: 8 }, () => policies.ofAccount(root)))
  expect(new Set(loaded.map(({ index }) => index)).size).toBe(1)
  const site = await makeItem({ ask: server.ask, collection: 'sites', fields: { name: 'Quay' } })
  const latest = await policies.latestOfAccount(root)
  expect(latest.index).toBe(loaded[0]?.index)
  expect(latest.version).toBeGreaterThan(loaded[0]?.version ?? 0)
  expect(latest.index.sites.get(site._id)?.name).toBe('Quay')
})

test('a committed change is seen at once while an older transaction is still open', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>()
  const older = database.asSystem(async (tx) => {
    await tx.run(sql`select pg_current_xact_id()`)
    opened()
    await isOver
  })
  await isOpen
  const site = await makeItem({ ask: server.ask, collection: 'sites' })
  expect((await policies.latestOfAccount(root)).index.sites.has(site._id)).toBe(true)
  end()
  await older
})

test('an item that becomes unreadable is left out and reported until it can be read again', async () => {
  const { _id } = await makeItem({ ask: server.ask, collection: 'holidays', fields: { name: 'Harbour day' } })
  const write = (dates: object) =>
    database.asSystem(async (tx) => {
      await tx.run(sql`update holiday set holiday_dates = ${JSON.stringify(dates)}::jsonb where holiday_id = ${_id}`)
      await tx.run(sql`update policy set policy_version = policy_version + 1 where policy_root = ${root}`)
      await recordChanges(tx, [{ account: root, collection: 'holidays', item: _id, action: 'save', isPolicy: true }])
    })
  const reported: string[] = []
  policies.onUnreadable(({ name }) => reported.push(name))
  const day = { from: '2026-12-25', until: '2026-12-25', recurring: false }
  await write([{ ...day, from: 'Christmas' }])
  const broken = await policies.latestOfAccount(root)
  expect(broken.unreadable).toMatchObject([{ collection: 'holidays', item: _id, name: 'Harbour day' }])
  expect(broken.index.holidays.has(_id)).toBe(false)
  await makeItem({ ask: server.ask, collection: 'sites' })
  await policies.latestOfAccount(root)
  expect(reported).toEqual(['Harbour day'])
  await write([day])
  const repaired = await policies.latestOfAccount(root)
  expect(repaired.unreadable).toEqual([])
  expect(repaired.index.holidays.has(_id)).toBe(true)
})

test('a new name of a user is taken over in every account that has the user', async () => {
  const below = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'below-names' } })
  const { _id } = await makeItem({ ask: server.ask, collection: 'users' })
  await addMembership({ user: _id, account: await server.keyOf('below-names') })
  await server.ask('PATCH', `/api/users/${_id}`, { body: { name: 'Renamed' } })
  const { index } = await policies.latestOfAccount(root)
  expect(index.membershipsOfUser.get(_id)?.map(({ name }) => name)).toEqual(['Renamed', 'Renamed'])
  expect(index.accounts.has(below._id)).toBe(true)
})

async function addMembership({ user, account }: { user: string; account: number }) {
  await database.asSystem(async (tx) => {
    await tx.run(sql`insert into membership (membership_user, membership_account) values (${user}, ${account})`)
    await recordChanges(tx, [{ account, collection: 'users', item: user, action: 'save', isPolicy: true }])
  })
}

test('a change announces the credentials whose access ends or begins, also together with one that names no items', async () => {
  const user = await makeItem({ ask: server.ask, collection: 'users' })
  const fields = { kind: 'card', number: 'announced', user: user._id }
  const { _id: card } = await makeItem({ ask: server.ask, collection: 'credentials', fields })
  await policies.latestOfAccount(root)
  const announced: PolicyChange[] = []
  policies.onChange((change) => void announced.push(change))
  const last = async () => {
    await policies.latestOfAccount(root)
    return announced.filter(({ credentials: { ended, usable } }) => [...ended, ...usable].includes(card)).at(-1)
  }
  await server.ask('PATCH', `/api/users/${user._id}`, { body: { status: 'suspended' } })
  expect(await last()).toMatchObject({ root, credentials: { ended: [card], usable: [] } })
  await server.ask('PATCH', `/api/users/${user._id}`, { body: { name: 'Still suspended' } })
  await policies.latestOfAccount(root)
  expect(announced.at(-1)?.credentials).toEqual({ ended: [], usable: [] })
  await database.asSystem(async (tx) => {
    await recordChanges(tx, [{ account: root, collection: 'users', item: card, action: 'reread', isPolicy: true }])
  })
  await server.ask('PATCH', `/api/users/${user._id}`, { body: { status: 'active' } })
  expect(await last()).toMatchObject({ root, credentials: { usable: [card] } })
})

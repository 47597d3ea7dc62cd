import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { recordChanges } from '../changes/record-change.ts'
import { storeEvent } from '../collections/test-events.ts'
import { makeItem, type Written, written } from '../collections/test-items.ts'
import { storeLockdown } from '../collections/test-lockdowns.ts'
import { storeTask } from '../collections/test-tasks.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { connectTestSocket } from '../test-socket.ts'

const server = await startTestServer()
afterAll(server.stop)
const all = Object.values<Collection>(collections)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'one' } })
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'sibling' } })
const inOne = server.in('one')

const connectionOf = ({ headers }: Pick<TestUser, 'headers'>) => connectTestSocket({ url: server.url, headers })
const admin = await connectionOf(server)
const stranger = await connectionOf(await server.signInAs({ role: 'admin', account: 'sibling' }))
const appUser = await connectionOf(await server.signInAs({ role: 'appUser', account: 'one' }))
afterAll(() => {
  for (const connection of [admin, stranger, appUser]) connection.close()
})

describe.each(all)('§1 and §7 $name', ({ entity }) => {
  test('users who may see a list of an account may join its rooms, and no others', async () => {
    const item = uuidv7()
    for (const id of ['*', item]) {
      expect(await admin.join(`${entity}:one:${id}`)).toBe('ok')
      expect(await admin.join(`${entity}:sibling:${id}`)).toBe('ok')
      expect(await stranger.join(`${entity}:sibling:${id}`)).toBe('ok')
      expect(await stranger.join(`${entity}:one:${id}`)).toBe('account_refused')
      expect(await appUser.join(`${entity}:one:${id}`)).toBe('forbidden')
      expect(await appUser.join(`${entity}:sibling:${id}`)).toBe('account_refused')
    }
  })
})

test.each(written)(
  '§7 %s: created, changed and deleted is received as save, save, remove, with what GET answers',
  async (name) => {
    const { entity } = collections[name]
    for (const [connection, account] of [
      [admin, 'one'],
      [stranger, 'sibling'],
    ] as const)
      await connection.join(`${entity}:${account}:*`)
    const { _id, ask } = await make(name)
    const path = `/api/${name}/${_id}`
    const expected = [{ event: `${entity}:save`, body: (await ask('GET', path)).json }]
    await expect.poll(receivedOf).toEqual(expected)
    expect(await admin.join(`${entity}:one:${_id}`)).toBe('ok')
    await ask('PATCH', path, { body: name === 'credentials' ? { number: 'changed' } : { name: 'Changed' } })
    const changed = await ask('GET', path)
    expect(changed.item['version']).toBe(2)
    // In the room of the item and in that of all items: received once all the same.
    expected.push({ event: `${entity}:save`, body: changed.json })
    await expect.poll(receivedOf).toEqual(expected)
    expect((await ask('DELETE', path)).status).toBe(204)
    expected.push({ event: `${entity}:remove`, body: { _id } })
    await expect.poll(receivedOf).toEqual(expected)
    await expectSilence(_id)

    function receivedOf() {
      return admin.received.filter(({ body }) => body._id === _id)
    }
  },
)

const logs: Record<Exclude<keyof typeof collections, Written>, (account: number) => Promise<string>> = {
  async events(account) {
    const id = await storeEvent(server.database, { account })
    await server.database.asSystem((tx) =>
      recordChanges(tx, [{ account, collection: 'events', item: id, action: 'save', isPolicy: false }]),
    )
    return id
  },
  lockdowns: (account) => storeLockdown(server.database, { account }),
  tasks: (account) => storeTask(server.database, { account }),
  async auditLogs() {
    const { _id } = await makeItem({ ask: inOne, collection: 'sites' })
    const { items } = await inOne('GET', `/api/auditLogs?filter=${encodeURIComponent(JSON.stringify({ item: _id }))}`)
    return items[0]?._id ?? ''
  },
}

test.each(['auditLogs', 'events', 'lockdowns', 'tasks'] as const)(
  '§7 %s: a new item arrives as GET returns it',
  async (name) => {
    const { entity } = collections[name]
    for (const [connection, account] of [
      [admin, 'one'],
      [stranger, 'sibling'],
    ] as const)
      await connection.join(`${entity}:${account}:*`)
    const id = await logs[name](await server.keyOf('one'))
    const { json } = await inOne('GET', `/api/${name}/${id}`)
    const receivedOf = () => admin.received.filter(({ body }) => body._id === id)
    await expect.poll(receivedOf).toEqual([{ event: `${entity}:save`, body: json }])
    await expectSilence(id)
  },
)

/** An item of account one, and its path: an account is its own. */
async function make(name: Written) {
  const item = await makeItem({ ask: inOne, collection: name })
  return { _id: item._id, ask: name === 'accounts' ? server.in(String(item['ref'])) : inOne }
}

/** Everything sent to them before a response has arrived before it. */
async function expectSilence(id: string) {
  for (const connection of [stranger, appUser]) {
    await connection.leave('site:one:*')
    expect(connection.of(id)).toEqual([])
  }
}

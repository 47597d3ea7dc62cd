import { engravedNumber } from '@portcullis/domain/cards/i-button'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem, type Written, completeItem, written } from '../collections/test-items.ts'
import { type Item, startTestServer, type TestUser } from '../test-server.ts'
import { entryOf, logOf, undo } from './test-undo.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

await makeItem({ ask, collection: 'accounts', fields: { ref: 'north' } })
await makeItem({ ask, collection: 'accounts', fields: { ref: 'south' } })

type AsOfOptions = { collection: Written; id: string; at: string; by?: TestUser['ask'] }

function asOf({ collection, id, at, by = ask }: AsOfOptions) {
  const headers = { 'x-js-all-accounts': 'true' }
  return by('GET', `/api/auditLogs/asOf/${collection}/${id}?at=${encodeURIComponent(at)}`, { headers })
}

/** When the newest entry of an item was written; resolves after that moment has passed. */
async function momentOf(item: string) {
  const [entry] = await logOf(server, item)
  const at = z.string().parse(entry?.['at'])
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(at))
  return at
}

/** The fields of an item that history records: all but its run-time state. */
function recorded(collection: Written, item: Item) {
  const { state } = collections[collection].fields
  return Object.fromEntries(Object.entries(item).filter(([field]) => !(field in state)))
}

test.each(written)(
  '%s: an item is returned as it was, also after its deletion, with its last change',
  async (collection) => {
    const path = `/api/${collection}`
    const before = new Date(Date.now() - 1000).toISOString()
    const { item } = await ask('POST', path, { body: await completeItem({ ask, collection }) })
    const by = collection === 'accounts' ? server.in(String(item['ref'])) : ask
    const made = await momentOf(item._id)
    const change = collection === 'credentials' ? { number: 'n-2' } : { name: 'Second' }
    const patched = await by('PATCH', `${path}/${item._id}`, { body: change })
    const changed = await momentOf(item._id)
    const deleted = await by('DELETE', `${path}/${item._id}`)
    const gone = await momentOf(item._id)
    await undo(ask, entryOf(deleted))
    const back = await momentOf(item._id)
    const id = item._id
    expect((await asOf({ collection, id, at: before })).status).toBe(404)
    const first = await asOf({ collection, id, at: made })
    const lastChange = { action: 'create', actor: server.userId, at: made }
    expect(first.json).toMatchObject({ at: made, item: recorded(collection, item), lastChange })
    const second = await asOf({ collection, id, at: changed })
    const byPatch = { entry: entryOf(patched), action: 'patch', at: changed }
    expect(second.json).toMatchObject({ item: recorded(collection, patched.item), lastChange: byPatch })
    expect((await asOf({ collection, id, at: gone })).status).toBe(404)
    const now = (await by('GET', `${path}/${id}`)).item
    for (const at of [back, '2999-01-01T00:00:00Z']) {
      expect((await asOf({ collection, id, at })).json).toMatchObject({ item: recorded(collection, now) })
    }
    for (const { json } of [first, second]) {
      expect(Object.keys(fieldsOf(json)).toSorted()).toEqual(Object.keys(recorded(collection, item)).toSorted())
    }
  },
)

test('members are returned as they were, from whichever side they changed, including deleted ones', async () => {
  const [ann, ben] = [await makeItem({ ask, collection: 'users' }), await makeItem({ ask, collection: 'users' })]
  const group = await makeItem({ ask, collection: 'userGroups', fields: { members: [ann._id] } })
  const moments = [await momentOf(group._id)]
  await ask('PATCH', `/api/users/${ben._id}`, { body: { groups: [group._id] } })
  moments.push(await momentOf(ben._id))
  await ask('DELETE', `/api/users/${ann._id}`)
  moments.push(await momentOf(ann._id))
  await ask('PATCH', `/api/userGroups/${group._id}`, { body: { members: [] } })
  moments.push(await momentOf(group._id))
  const lists = moments.map(async (at) => {
    const inGroup = await asOf({ collection: 'userGroups', id: group._id, at })
    const ofBen = await asOf({ collection: 'users', id: ben._id, at })
    return [fieldsOf(inGroup.json)['members'], fieldsOf(ofBen.json)['groups']]
  })
  expect(await Promise.all(lists)).toEqual([
    [[ann._id], []],
    [[ann._id, ben._id].toSorted(), [group._id]],
    [[ben._id], [group._id]],
    [[], []],
  ])
})

function fieldsOf(json: unknown) {
  return z.object({ item: z.record(z.string(), z.unknown()) }).parse(json).item
}

describe('rights', () => {
  test('requires the rights to view the audit log and the collection', async () => {
    const site = await makeItem({ ask: server.in('north'), collection: 'sites' })
    const at = await momentOf(site._id)
    const unit = await makeItem({ ask: server.in('north'), collection: 'units' })
    const [reader, guard] = [
      await server.signInAs({ role: 'reportingUser', account: 'north' }),
      await server.signInAs({ role: 'accessManager', account: 'north' }),
    ]
    const query = { collection: 'sites', id: site._id, at } as const
    expect((await asOf({ ...query, by: reader.ask })).status).toBe(200)
    expect((await asOf({ ...query, by: guard.ask })).status).toBe(403)
    expect((await asOf({ collection: 'units', id: unit._id, at, by: reader.ask })).status).toBe(403)
  })

  test('items out of scope and unknown ids give the same 404', async () => {
    const own = await makeItem({ ask: server.in('north'), collection: 'sites' })
    const at = await momentOf(own._id)
    const beside = await server.signInAs({ role: 'admin', account: 'south' })
    for (const id of [own._id, uuidv7(), '7', '%00']) {
      const { status, error } = await asOf({ collection: 'sites', id, at, by: beside.ask })
      expect([status, error.code, error.message], id).toEqual([404, 'not_found', 'There is no such item in sites.'])
    }
    const plain = await ask('GET', `/api/auditLogs/asOf/sites/${own._id}?at=${at}`)
    expect(plain.status).toBe(404)
  })

  test('a guarded number is hidden from users who may not see it', async () => {
    const fields = { kind: 'iButton', number: engravedNumber(0xa1b2c3) }
    const north = server.in('north')
    const { _id } = await makeItem({ ask: north, collection: 'credentials', fields })
    await north('PATCH', `/api/credentials/${_id}`, { body: { number: engravedNumber(0xd4e5f6) } })
    const at = await momentOf(_id)
    await north('PATCH', `/api/credentials/${_id}`, { body: { kind: 'card', number: 'n-1' } })
    const manager = await server.signInAs({ role: 'accountManager', account: 'north' })
    const hidden = await asOf({ collection: 'credentials', id: _id, at, by: manager.ask })
    expect(hidden.json).toMatchObject({ item: { kind: 'iButton', number: null } })
    expect((await asOf({ collection: 'credentials', id: _id, at })).json).toMatchObject({
      item: { number: engravedNumber(0xd4e5f6) },
    })
  })
})

test('invalid moments and collections without history are refused by name', async () => {
  const { _id } = await makeItem({ ask, collection: 'sites' })
  for (const query of [
    '',
    '?at=',
    '?at=yesterday',
    '?at=2026-01-01',
    '?at=2026-01-01T00:00:00Z&at=2026-01-02T00:00:00Z',
  ]) {
    const { status, error } = await ask('GET', `/api/auditLogs/asOf/sites/${_id}${query}`)
    expect([status, Object.keys(error.fields)], query).toEqual([400, ['at']])
  }
  const more = await ask('GET', `/api/auditLogs/asOf/sites/${_id}?at=2026-01-01T00:00:00Z&fields=[]`)
  expect([more.status, Object.keys(more.error.fields)]).toEqual([400, ['fields']])
  for (const collection of ['events', 'auditLogs', 'tasks', 'nothing', 'constructor']) {
    const { status } = await ask('GET', `/api/auditLogs/asOf/${collection}/${_id}?at=2026-01-01T00:00:00Z`)
    expect(status, collection).toBe(404)
  }
})

test('an item older than its history is returned as it was, without a last change', async () => {
  const id = uuidv7()
  const main = await server.keyOf(server.account)
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into site (site_id, site_account, site_name, site_time_zone)
      values (${id}, ${main}, 'Older than history', 'UTC')`),
  )
  const at = new Date().toISOString()
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(at))
  await ask('PATCH', `/api/sites/${id}`, { body: { name: 'Newer' } })
  expect((await asOf({ collection: 'sites', id, at })).json).toMatchObject({
    item: { name: 'Older than history', version: 1 },
    lastChange: null,
  })
})

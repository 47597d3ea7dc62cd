import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Item, startTestServer } from '../test-server.ts'
import { makeItem, written } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)

let site: Item
beforeEach(async () => {
  site = await makeItem({ ask: server.ask, collection: 'sites' })
})

function patch(body: unknown, headers: Record<string, string> = {}) {
  return server.ask('PATCH', `/api/sites/${site._id}`, { body, headers })
}

describe('design §2 the header If-Match', () => {
  test.each(['', 'nonsense', '*', 'W/"1"', '"1', '1"', '"1", "1"', '1.0', '-1'])(
    'takes only a version, whatever the body says: not %j',
    async (ifMatch) => {
      for (const body of [{ name: 'New' }, { name: 'New', version: 1 }]) {
        const { status, error } = await patch(body, { 'if-match': ifMatch })
        expect([status, Object.keys(error.fields)]).toEqual([400, ['If-Match']])
      }
      expect((await server.ask('GET', `/api/sites/${site._id}`)).item).toEqual(site)
    },
  )

  test('must match the version in the body', async () => {
    const differing = await patch({ name: 'New', version: 1 }, { 'if-match': '"2"' })
    expect([differing.status, Object.keys(differing.error.fields)]).toEqual([400, ['If-Match']])
    expect((await patch({ name: 'New', version: 1 }, { 'if-match': '"1"' })).status).toBe(200)
    expect((await patch({ name: 'New', version: 1 }, { 'if-match': '"1"' })).status).toBe(409)
  })
})

describe('an _id is not case-sensitive', () => {
  test('when one item is changed concurrently under both spellings, the changes apply in turn', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const id = index % 2 === 0 ? site._id : site._id.toUpperCase()
        return (await server.ask('PATCH', `/api/sites/${id}`, { body: { name: `Name ${index}` } })).status
      }),
    )
    expect(statuses).toEqual(statuses.map(() => 200))
  })

  test('when an item refers to another twice', async () => {
    const [id, inCapitals] = [site._id, site._id.toUpperCase()]
    const group = await server.ask('POST', '/api/siteGroups', { body: { name: 'Both', members: [id, inCapitals] } })
    expect([group.status, group.item['members']]).toEqual([201, [id]])
    const where = [id, inCapitals].map((one) => ({ kind: 'Site', id: one }))
    const rule = await server.ask('POST', '/api/rules', { body: { name: 'Both', effect: 'allow', who: [], where } })
    expect([rule.status, rule.item['where']]).toEqual([201, [{ kind: 'Site', id }]])
    const door = await server.ask('POST', '/api/doors', { body: { name: 'Front', site: inCapitals } })
    expect([door.status, door.item['site']]).toEqual([201, id])
  })
})

describe('§7 save: an item as it was read', () => {
  test.each(written)('is a patch of %s that changes nothing', async (collection) => {
    const isAccount = collection === 'accounts'
    const { _id } = await makeItem({ ask: server.ask, collection, fields: isAccount ? { ref: 'as-read' } : {} })
    const ask = isAccount ? server.in('as-read') : server.ask
    const { item } = await ask('GET', `/api/${collection}/${_id}`)
    const saved = await ask('PATCH', `/api/${collection}/${_id}`, { body: item })
    const { version, updatedAt } = saved.item
    expect([saved.status, saved.item]).toEqual([200, { ...item, version, updatedAt }])
  })

  test('saves the changed fields, whatever state its controller has reported since', async () => {
    const unit = await makeItem({ ask: server.ask, collection: 'units' })
    const body = { ...unit, name: 'Gatehouse', status: 'online', updatedAt: '2020-01-01T00:00:00.000Z' }
    const { item } = await server.ask('PATCH', `/api/units/${unit._id}`, { body })
    expect(item).toMatchObject({ name: 'Gatehouse', status: 'never_seen' })
  })

  test('is refused with the fields that cannot be changed, if they were', async () => {
    const body = { ...site, account: site._id, createdAt: '2020-01-01T00:00:00.000Z', constructor: 1 }
    expect(await patch(body)).toMatchObject({
      status: 400,
      error: { fields: { constructor: 'This field does not exist.' } },
    })
    const { constructor: _, ...settable } = body
    const { status, error } = await patch(settable)
    expect([status, Object.keys(error.fields).toSorted()]).toEqual([400, ['account', 'createdAt']])
    expect((await server.ask('GET', `/api/sites/${site._id}`)).item).toEqual(site)
  })
})

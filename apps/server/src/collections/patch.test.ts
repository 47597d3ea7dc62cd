import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Item, startTestServer } from '../test-server.ts'
import { makeItem } from './test-items.ts'

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
    'holds a version and nothing else, whatever the body says: not %j',
    async (ifMatch) => {
      for (const body of [{ name: 'New' }, { name: 'New', version: 1 }]) {
        const { status, error } = await patch(body, { 'if-match': ifMatch })
        expect([status, Object.keys(error.fields)]).toEqual([400, ['If-Match']])
      }
      expect((await server.ask('GET', `/api/sites/${site._id}`)).item).toEqual(site)
    },
  )

  test('names the version that the body names', async () => {
    const differing = await patch({ name: 'New', version: 1 }, { 'if-match': '"2"' })
    expect([differing.status, Object.keys(differing.error.fields)]).toEqual([400, ['If-Match']])
    expect((await patch({ name: 'New', version: 1 }, { 'if-match': '"1"' })).status).toBe(200)
    expect((await patch({ name: 'New', version: 1 }, { 'if-match': '"1"' })).status).toBe(409)
  })
})

describe('an _id means the same in capital and in small letters', () => {
  test('where one item is changed under both at the same time, each change goes on from the one before', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const id = index % 2 === 0 ? site._id : site._id.toUpperCase()
        return (await server.ask('PATCH', `/api/sites/${id}`, { body: { name: `Name ${index}` } })).status
      }),
    )
    expect(statuses).toEqual(statuses.map(() => 200))
  })

  test('where an item names another twice', async () => {
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

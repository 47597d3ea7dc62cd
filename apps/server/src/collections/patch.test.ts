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

import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { exportFormats } from '@portcullis/contract/export-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer } from '../test-server.ts'
import { storeEvent } from './test-events.ts'
import { makeItem, completeItem, written } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)

const everywhere = { headers: { 'x-js-all-accounts': 'true' } }

beforeAll(async () => {
  for (const collection of written) {
    const fields = await completeItem({ ask: server.ask, collection })
    await makeItem({ ask: server.ask, collection, fields })
  }
  await storeEvent(server.database, { account: await server.keyOf(server.account) })
})

describe.each(Object.values<Collection>(collections))('§7 $name', ({ name, queryable, entitySchema }) => {
  const path = `/api/${name}`
  const total = async () => Number((await server.ask('GET', path, everywhere)).page['totalElements'])

  test('count matches the list', async () => {
    expect((await server.ask('GET', `${path}/count`, everywhere)).json).toEqual({ count: await total(), exact: true })
  })

  test('aggregate counts every item once, by any field', async () => {
    for (const field of queryable) {
      const by = encodeURIComponent(JSON.stringify([field]))
      const answer = await server.ask('GET', `${path}/aggregate?by=${by}`, everywhere)
      const { rows } = z.object({ rows: z.array(z.looseObject({ count: z.int() })) }).parse(answer.json)
      expect(
        rows.reduce((sum, { count }) => sum + count, 0),
        field,
      ).toBe(await total())
    }
  })

  test.each(exportFormats)('export as %s has all fields of all items', async (format) => {
    // The export itself adds an item to two of the lists.
    const before = await total()
    const answer = await fetch(`${server.url}${path}/export`, {
      method: 'POST',
      headers: {
        ...server.headers,
        ...everywhere.headers,
        'x-js-account': server.account,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ format }),
    })
    expect(answer.status).toBe(200)
    const text = await answer.text()
    if (format === 'csv') expect(text.split('\r\n')[0]?.split(',')).toEqual(Object.keys(entitySchema.shape))
    if (format === 'json') expect(JSON.parse(text)).toHaveLength(before)
  })
})

import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer } from '../test-server.ts'
import { cursorAfter } from './cursor.ts'
import { readListRequest } from './list-request.ts'
import { isFollowed, selectPage, type Way } from './select-page.ts'
import { storeEvent } from '../collections/test-events.ts'
import { makeItem, written } from '../collections/test-items.ts'
import { storeLockdown } from '../collections/test-lockdowns.ts'
import { storeTask } from '../collections/test-tasks.ts'

const server = await startTestServer()
afterAll(server.stop)

const refs = [server.account, 'north', 'south']
const accounts: number[] = []

beforeAll(async () => {
  for (const ref of refs.slice(1)) await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref } })
  for (const ref of refs) {
    const key = await server.keyOf(ref)
    accounts.push(key)
    const ask = server.in(ref)
    for (const collection of written) {
      // Missing values and equal values have a place in the order too.
      const same = collection === 'credentials' || collection === 'users' ? {} : { name: 'The same' }
      await makeItem({ ask, collection })
      await makeItem({ ask, collection, fields: collection === 'accounts' ? {} : same })
    }
    for (const outcome of ['granted', 'denied', 'granted'] as const) {
      await storeEvent(server.database, { account: key, outcome, occurredAt: '2026-03-03T03:03:03.003Z' })
      await storeLockdown(server.database, { account: key })
      await storeTask(server.database, { account: key })
    }
    await makeItem({ ask, collection: 'sites', fields: { address: 'By the water' } })
  }
})

const pageRow = z.tuple([z.string(), z.coerce.number(), z.string().nullable(), z.uuid().nullable(), z.coerce.number()])

/** Every `_id` of a list in its order, read in pages of four. */
async function walk(collection: Collection, { sort, way }: { sort: { prop: string; dir: 'asc' | 'desc' }; way: Way }) {
  const seen: string[] = []
  let after: string | undefined
  do {
    const query = { sort: JSON.stringify(sort), size: '4', ...(after ? { after } : {}) }
    const page = selectPage({ collection, accounts, request: readListRequest(collection, query), way })
    const answer = await server.database.ask({ accounts, holds: sql`true` }, [page])
    const [items, count, key, id, account] = pageRow.parse(answer?.[0]?.[0])
    seen.push(
      ...z
        .array(z.object({ _id: z.string() }))
        .parse(JSON.parse(items))
        .map(({ _id }) => _id),
    )
    after = id === null || count < 4 ? undefined : cursorAfter({ key, id, account }, sort)
  } while (after !== undefined)
  return seen
}

describe.each(Object.values<Collection>(collections))('$name of several accounts', (collection) => {
  const sorts = collection.queryable.flatMap((prop) => (['asc', 'desc'] as const).map((dir) => ({ prop, dir })))

  test.each(sorts)('by $prop, $dir: have the same order, read apart or together, page by page', async (sort) => {
    // A followed log ends before rows of open transactions.
    if (isFollowed(collection, sort)) return
    const together = await walk(collection, { sort, way: 'together' })
    expect(together.length).toBeGreaterThanOrEqual(refs.length)
    expect(new Set(together).size).toBe(together.length)
    expect(await walk(collection, { sort, way: 'apart' })).toEqual(together)
  })
})

import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const main = await server.keyOf(server.account)

/** Lists the audit log by position, continuing from the last page. */
function follower(size = '100') {
  let after: string | null = null
  const items: string[] = []
  return async () => {
    const sort = JSON.stringify({ prop: 'position', dir: 'asc' })
    const query = new URLSearchParams({ sort, size, ...(after ? { after } : {}) })
    const page = await server.ask('GET', `/api/auditLogs?${query.toString()}`)
    after = page.next
    items.push(...page.items.map(({ item }) => z.uuid().parse(item)))
    return items
  }
}

test('§1 a client that follows the audit log misses no late commit, and gets entries in order', async () => {
  const look = follower()
  const late = openChange()
  await late.isWritten
  const { _id: early } = await makeItem({ ask: server.ask, collection: 'sites' })
  expect((await server.ask('GET', `/api/auditLogs?filter=${JSON.stringify({ item: early })}`)).items).toHaveLength(1)
  expect(await look()).not.toContain(early)
  await late.commit()
  await expect.poll(look).toEqual(expect.arrayContaining([late.item, early]))
  const received = await look()
  expect(received.indexOf(late.item)).toBeLessThan(received.indexOf(early))
  expect(new Set(received).size).toBe(received.length)
})

test('§1 concurrent writes are each returned once, page by page, while they happen', async () => {
  const look = follower('7')
  const made: string[] = []
  let isWriting = true
  const watching = (async () => {
    while (isWriting) await look()
  })()
  const writers = [1, 2, 3, 4].map(async () => {
    for (let count = 0; count < 12; count += 1) {
      made.push((await makeItem({ ask: server.ask, collection: 'contacts' }))._id)
    }
  })
  await Promise.all(writers)
  isWriting = false
  await watching
  const received = async () => (await look()).filter((item) => made.includes(item)).toSorted()
  await expect.poll(received).toEqual(made.toSorted())
})

/** A change in a transaction that stays open until the test commits it. */
function openChange() {
  const item = uuidv7()
  const written = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const done = server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into history (history_id, history_account, history_collection, history_item, history_action, history_schema)
      values (${uuidv7()}, ${main}, 'sites', ${item}, 'create', 1)`)
    written.resolve()
    await ended.promise
  })
  return {
    item,
    isWritten: written.promise,
    async commit() {
      ended.resolve()
      await done
    },
  }
}

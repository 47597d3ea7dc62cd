import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const main = await server.keyOf(server.account)

/** Lists the audit log in the order in which it is followed, going on from where it was. */
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

test('§1 who follows the audit log misses no entry that is committed late, and hears of none before its turn', async () => {
  const look = follower()
  const late = openChange()
  await late.isWritten
  const { _id: early } = await makeItem({ ask: server.ask, collection: 'sites' })
  expect((await server.ask('GET', `/api/auditLogs?filter=${JSON.stringify({ item: early })}`)).items).toHaveLength(1)
  expect(await look()).not.toContain(early)
  await late.commit()
  await expect.poll(look).toEqual(expect.arrayContaining([late.item, early]))
  const heard = await look()
  expect(heard.indexOf(late.item)).toBeLessThan(heard.indexOf(early))
  expect(new Set(heard).size).toBe(heard.length)
})

test('§1 what many write at once is told once each, page by page, while it is being written', async () => {
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
  const heard = async () => (await look()).filter((item) => made.includes(item)).toSorted()
  await expect.poll(heard).toEqual(made.toSorted())
})

/** A change of a transaction that ends when the test says so. */
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

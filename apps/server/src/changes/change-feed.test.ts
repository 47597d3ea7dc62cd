import { setImmediate } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { Database, type Transaction } from '../database/database.ts'
import { createTestDatabase } from '../database/test-database.ts'
import { ChangeFeed } from './change-feed.ts'
import type { CommittedChange } from './committed-change.ts'
import { recordChanges } from './record-change.ts'

/** Counts the queries of the system role, so that a test can detect that the feed has read. */
class CountingDatabase extends Database {
  count = 0

  override askSystem(questions: Parameters<Database['askSystem']>[0]) {
    this.count += 1
    return super.askSystem(questions)
  }
}

const { logins, drop } = await createTestDatabase()
const writer = new Database({ logins, connections: 4 })
afterAll(async () => {
  await writer.close()
  await drop()
})

test('open transactions are not delivered, rolled back ones never, and commits in reverse order all are', async () => {
  const { received, looks } = await follow()
  const [first, second, undone] = [openTransaction(), openTransaction(), openTransaction()]
  const item = await first.change()
  const later = await second.change()
  const never = await undone.change()
  await undone.rollBack()
  await second.commit()
  await looks(2)
  expect(received()).toEqual([])
  await first.commit()
  await expect.poll(received).toEqual([item, later])
  expect(received()).not.toContain(never)
})

test('changes arrive in the order of their transactions, once each, for every listener', async () => {
  const [one, other] = [await follow(), await follow()]
  const items = await Promise.all(Array.from({ length: 20 }, () => commitChange()))
  await expect.poll(one.received).toHaveLength(items.length)
  await expect.poll(other.received).toHaveLength(items.length)
  expect(one.received()).toEqual(other.received())
  expect(one.received().toSorted()).toEqual(items.toSorted())
})

test('a server that begins to follow receives later changes, not earlier ones', async () => {
  const past = await commitChange()
  await untilSettled(past)
  const { received } = await follow()
  const next = await commitChange()
  await expect.poll(received).toContain(next)
  expect(received()).not.toContain(past)
})

test('constant hints make it read at most once in ten milliseconds', async () => {
  const { feed, reads } = await follow()
  const [began, before] = [performance.now(), reads()]
  while (reads() < before + 20) {
    feed.hint()
    await setImmediate()
  }
  expect(performance.now() - began).toBeGreaterThan(100)
})

test('changes that a listener failed to take are delivered again to it alone', async () => {
  let failures = 0
  const { received } = await follow(() => {
    failures += 1
    if (failures < 3) throw new Error('the database was away')
  })
  const item = await commitChange()
  await expect.poll(() => received() && failures).toBe(3)
  const later = await commitChange()
  await expect.poll(received).toEqual([item, later])
})

test('a listener that fails does not hold the others back, and later receives all it missed in order', async () => {
  let isFailing = true
  const late: CommittedChange[] = []
  const { feed, received } = await follow((changes) => {
    if (isFailing) throw new Error('the database was away')
    late.push(...changes)
  })
  const failures: string[] = []
  feed.onFailure(({ consumer }) => failures.push(consumer))
  const items = [await commitChange()]
  await expect.poll(received).toEqual(items)
  items.push(await commitChange())
  await expect.poll(received).toEqual(items)
  isFailing = false
  await expect.poll(() => late.map(({ item }) => item)).toEqual(items)
  items.push(await commitChange())
  await expect.poll(received).toEqual(items)
  await expect.poll(() => late.map(({ item }) => item)).toEqual(items)
  expect(failures).toEqual(['first'])
})

test('a listener that does not end holds the others back for a moment only, and later receives all it missed in order', async () => {
  const hanging = Promise.withResolvers<void>()
  const late: CommittedChange[] = []
  const { received } = await follow(async (changes) => {
    await hanging.promise
    late.push(...changes)
  })
  onTestFinished(() => hanging.resolve())
  const items = [await commitChange()]
  await expect.poll(received).toEqual(items)
  for (const _time of [1, 2]) {
    items.push(await commitChange())
    await expect.poll(received).toEqual(items)
  }
  expect(late).toEqual([])
  hanging.resolve()
  await expect.poll(() => late.map(({ item }) => item)).toEqual(items)
  items.push(await commitChange())
  await expect.poll(() => late.map(({ item }) => item)).toEqual(items)
})

test('a transaction of another database of the engine holds nothing back', async () => {
  const other = await createTestDatabase()
  const stranger = new Database({ logins: other.logins, connections: 4 })
  const ended = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const work = stranger.asSystem(async (tx) => {
    await tx.run(sql`select pg_current_xact_id()`)
    begun.resolve()
    await ended.promise
  })
  onTestFinished(async () => {
    ended.resolve()
    await work
    await stranger.close()
    await other.drop()
  })
  await begun.promise
  const { received } = await follow()
  const item = await commitChange()
  await expect.poll(received).toEqual([item])
})

test('changes settled an hour ago are deleted; those still open then, and later ones, are kept', async () => {
  const { feed } = await follow()
  await untilSettled(await commitChange())
  const long = openTransaction()
  const slow = await long.change()
  await writer.asSystem((tx) =>
    tx.run(sql`insert into change_mark select now() - interval '61 minutes', settled_before()`),
  )
  await long.commit()
  const fresh = await commitChange()
  await feed.prune()
  const items = z.object({ item: z.uuid() })
  const left = await writer.asSystem((tx) =>
    tx.rows(items, sql`select change_item as item from change order by change_id`),
  )
  expect(left.map(({ item }) => item)).toEqual([slow, fresh])
})

async function follow(before: (changes: readonly CommittedChange[]) => Promise<void> | void = () => {}) {
  const database = new CountingDatabase({ logins, connections: 4 })
  const feed = new ChangeFeed({ database, logins })
  const receivedChanges: CommittedChange[] = []
  feed.listen('first', before)
  feed.listen('second', (changes) => void receivedChanges.push(...changes))
  await feed.start()
  onTestFinished(async () => {
    await feed.stop()
    await database.close()
  })
  return {
    feed,
    reads: () => database.count,
    received() {
      feed.hint()
      return receivedChanges.map(({ item }) => item)
    },
    async looks(times: number) {
      const enough = database.count + times
      feed.hint()
      await expect.poll(() => database.count).toBeGreaterThanOrEqual(enough)
    },
  }
}

async function commitChange() {
  const transaction = openTransaction()
  const item = await transaction.change()
  await transaction.commit()
  return item
}

/**
 * A committed change is settled once no older transaction is open. A transaction of another database that ends while
 * `settled_before` reads the locks counts as one, so tests beside this one can delay it.
 */
async function untilSettled(item: string) {
  const settled = sql`select from change where change_item = ${item} and change_xid < pg_snapshot_xmin(pg_current_snapshot())`
  await expect.poll(() => writer.asSystem((tx) => tx.run(settled))).toBe(1)
}

/** A transaction that ends when the test says so. */
function openTransaction() {
  const started = Promise.withResolvers<Transaction>()
  const ended = Promise.withResolvers<void>()
  const done = writer.asSystem(async (tx) => {
    started.resolve(tx)
    await ended.promise
  })
  return {
    async change() {
      const item = uuidv7()
      const change = { account: 1, collection: 'sites', item, action: 'save' as const, isPolicy: false }
      const tx = await started.promise
      await recordChanges(tx, [change])
      // Changes travel with the statement after them.
      await tx.run(sql`select`)
      return item
    },
    async commit() {
      ended.resolve()
      await done
    },
    async rollBack() {
      ended.reject(new Error('rolled back'))
      await done.catch(() => {})
    },
  }
}

import { setImmediate } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Database, type Transaction } from './database.ts'
import { prepared } from './prepared-statements.ts'
import { createTestDatabase } from './test-database.ts'

const { logins, drop } = await createTestDatabase()
const database = new Database({ logins, connections: 4 })
afterAll(async () => {
  await database.close()
  await drop()
})

const counted = z.object({ count: z.number() })
const add = (key: string) => sql`insert into sign_in_failure (sign_in_failure_key) values (${key})`
const wrong = sql`select 1 / 0`

beforeAll(() => database.asSystem((tx) => tx.run(add('before'))))

async function count(tx: Transaction, key: string) {
  const row = await tx.first(
    counted,
    sql`select count(*) as count from sign_in_failure where sign_in_failure_key = ${key}`,
  )
  return row?.count
}

const committed = (key: string) => database.asSystem((tx) => count(tx, key))

test('statements given together run in the order given', async () => {
  const counts = await database.asSystem((tx) => {
    const first = count(tx, 'ordered')
    tx.send(add('ordered'))
    return Promise.all([first, count(tx, 'ordered'), tx.run(add('ordered')), count(tx, 'ordered')])
  })
  expect(counts).toEqual([0, 1, 1, 2])
  expect(await committed('ordered')).toBe(2)
})

test('a failed `send` fails the whole transaction, and is reported as the cause', async () => {
  const work = database.asSystem(async (tx) => {
    await tx.run(add('refused'))
    tx.send(wrong)
    return count(tx, 'refused')
  })
  await expect(work).rejects.toThrow('division by zero')
  const last = database.asSystem(async (tx) => {
    await tx.run(add('refused'))
    tx.send(wrong)
  })
  await expect(last).rejects.toThrow('division by zero')
  expect(await committed('refused')).toBe(0)
})

test('a statement that cannot be encoded, and so is never sent, fails the whole transaction', async () => {
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  const working = database.asSystem(async (tx) => {
    await tx.run(add('beside a circle'))
    tx.send(sql`update sign_in_failure set sign_in_failure_key = ${circular} where false`)
    await setImmediate()
    await tx.run(add('beside a circle'))
  })
  await expect(working).rejects.toThrow()
  expect(await committed('beside a circle')).toBe(0)
})

test('a transaction with an ignored failure is not committed', async () => {
  const work = database.asSystem(async (tx) => {
    await tx.run(add('passed over'))
    await tx.run(wrong).catch(() => {})
    return 'done'
  })
  await expect(work).rejects.toThrow('nothing was committed')
  expect(await committed('passed over')).toBe(0)
})

test('work that continues after its transaction has ended has no effect', async () => {
  const ended: Transaction[] = []
  await database.asSystem(async (tx) => void ended.push(tx))
  const failing = database.asSystem((tx) => {
    ended.push(tx)
    return tx.run(wrong)
  })
  await expect(failing).rejects.toThrow('division by zero')
  for (const tx of ended) await expect(tx.run(add('outside'))).rejects.toThrow('The transaction has ended.')
  expect(await committed('outside')).toBe(0)
})

test('a prepared statement works on every connection, with other values, and after a failure', async () => {
  const divide = (by: number) => prepared(sql`select 10 / ${by}::int as count`)
  const once = (by: number) => database.asSystem((tx) => tx.first(counted, divide(by)))
  const round = [2, 5, 0, 1, 10, 2, 5, 0, 1, 10, 2, 5]
  const answers = await Promise.allSettled(round.map(once))
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value?.count : 'failed'))).toEqual(
    round.map((by) => (by === 0 ? 'failed' : 10 / by)),
  )
})

test('a statement of a user is cancelled after 10 seconds, one of the server after 60', async () => {
  const limit = z.object({ statement_timeout: z.string() })
  const show = (tx: Transaction) => tx.first(limit, sql`show statement_timeout`)
  expect([await database.inAccounts([], show), await database.asSystem(show)]).toEqual([
    { statement_timeout: '10s' },
    { statement_timeout: '1min' },
  ])
})

test('a statement of a user waits 5 seconds for a lock, one of the server 30', async () => {
  const limit = z.object({ lock_timeout: z.string() })
  const show = (tx: Transaction) => tx.first(limit, sql`show lock_timeout`)
  expect([await database.inAccounts([], show), await database.asSystem(show)]).toEqual([
    { lock_timeout: '5s' },
    { lock_timeout: '30s' },
  ])
})

test('the database ends a transaction whose process has stalled for a minute, or 2 minutes in the server’s own work', async () => {
  const limit = z.object({ idle_in_transaction_session_timeout: z.string() })
  const show = (tx: Transaction) => tx.first(limit, sql`show idle_in_transaction_session_timeout`)
  expect([await database.inAccounts([], show), await database.asSystem(show)]).toEqual([
    { idle_in_transaction_session_timeout: '1min' },
    { idle_in_transaction_session_timeout: '2min' },
  ])
})

test('the locks of a stalled transaction are released, and the transaction fails when it continues', async () => {
  const [locked, continued] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lock = sql`select pg_advisory_xact_lock(4711)`
  const stalled = database.asSystem(async (tx) => {
    await tx.run(sql`set local idle_in_transaction_session_timeout = '100ms'`)
    await tx.run(lock)
    locked.resolve()
    await continued.promise
    return tx.run(add('stalled'))
  })
  await locked.promise
  await database.asSystem((tx) => tx.run(lock))
  continued.resolve()
  await expect(stalled).rejects.toThrow()
  expect(await committed('stalled')).toBe(0)
})

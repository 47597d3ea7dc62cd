import pg from 'pg'
import sql, { Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepared } from '../prepared-statements.ts'
import { createTestDatabase } from '../test-database.ts'
import { answersOf, outcomesOf } from './outcomes-of.ts'
import { startProxy } from './start-proxy.ts'

const { databaseUrl, drop } = await createTestDatabase()
const observer = new pg.Client(databaseUrl)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, options: '-c timezone=UTC' })
pool.on('error', () => {})
pool.on('connect', (client) => client.on('error', () => {}))
beforeAll(async () => {
  await observer.connect()
  await observer.query('create table contract (contract_key int primary key)')
})
afterAll(async () => {
  await pool.end()
  await observer.end()
  await drop()
})

describe('a batch', () => {
  test('goes out as one message sequence with one Sync, and parses a prepared statement once', async () => {
    const proxy = await startProxy(databaseUrl)
    const client = new pg.Client(proxy.url)
    await client.connect()
    const wired = (value: number) => prepared(sql`select 'wire', ${value}::int`)
    proxy.takeMessages()
    await answersOf(client, [sql`select 1`, wired(1), wired(2), sql`select ${3}::int`])
    // A name is closed before it is parsed, because it may be taken after an error.
    expect(proxy.takeMessages()).toBe(['PBDE', 'CPBDE', 'CPBDE', 'PBDE', 'S'].join(''))
    await answersOf(client, [wired(4), sql`select 1`])
    expect(proxy.takeMessages()).toBe(['BDE', 'PBDE', 'S'].join(''))
    await client.end()
    await proxy.stop()
  })

  test('answers in order, with no rows, many rows, no columns, and nothing to run', async () => {
    const client = await pool.connect()
    const answers = await answersOf(client, [
      sql`insert into contract values (1), (2)`,
      sql`select from generate_series(1, 2)`,
      sql`select generate_series(1, 20000)`,
      sql`-- nothing`,
      sql`select 1 where false`,
      sql`delete from contract returning contract_key as key`,
    ])
    expect(answers.map(({ tag, rows, fields }) => [tag, rows.length, fields.map(({ name }) => name)])).toEqual([
      ['INSERT 0 2', 0, []],
      ['SELECT 2', 2, []],
      ['SELECT 20000', 20_000, ['generate_series']],
      ['', 0, []],
      ['SELECT 0', 0, ['?column?']],
      ['DELETE 2', 2, ['key']],
    ])
    client.release()
  })

  test('is not disturbed by notices, notifications and changed parameters', async () => {
    const client = await pool.connect()
    const outcomes = await outcomesOf(client, [
      sql`do $$ begin raise notice 'in between'; end $$`,
      sql`listen contract`,
      sql`notify contract, 'x'`,
      sql`set datestyle = 'German'`,
      sql`reset datestyle`,
      sql`select 1`,
    ])
    expect(outcomes).toEqual([[], [], [], [], [], [['1']]])
    client.release(true)
  })

  test('with more than the socket takes at once is answered, in both directions', async () => {
    const client = await pool.connect()
    const large = 'x'.repeat(100_000)
    const outcomes = await outcomesOf(
      client,
      Array.from({ length: 200 }, () => sql`select ${large}::text`),
    )
    expect(outcomes.every((rows) => rows[0]?.[0] === large)).toBe(true)
    client.release()
  })

  test('waits for the batch before it on the same connection', async () => {
    const client = await pool.connect()
    const order: string[] = []
    const batches = ['failing', 'next'].map(async (name) => {
      await outcomesOf(client, [sql`select pg_sleep(0.01)`, name === 'failing' ? sql`select 1 / 0` : sql`select 1`])
      order.push(name)
    })
    await Promise.all(batches)
    expect(order).toEqual(['failing', 'next'])
    client.release()
  })
})

describe('an error', () => {
  const wrong: [string, Sql, string][] = [
    ['parsing', sql`selec 1`, '42601'],
    ['binding', sql`select ${'x'}::int`, '22P02'],
    ['running', sql`select 1 / ${0}::int`, '22012'],
    ['running, prepared', prepared(sql`select 2 / ${0}::int`), '22012'],
    ['its first row', sql`select 1 / (3 - n) from generate_series(1, 5) as n`, '22012'],
  ]
  test.each(wrong)(
    'while %s fails the statements behind it, stores nothing, and leaves the connection usable',
    async (_, query, code) => {
      for (let position = 0; position < 3; position += 1) {
        const client = await pool.connect()
        const batch = [sql`insert into contract values (1)`, sql`insert into contract values (2)`]
        const outcomes = await outcomesOf(client, batch.toSpliced(position, 0, query))
        expect(outcomes).toEqual([0, 1, 2].map((at) => (at < position ? [] : code)))
        expect(await outcomesOf(client, [sql`select count(*) from contract`])).toEqual([[['0']]])
        client.release()
      }
    },
  )

  test('carries the details that PostgreSQL reports', async () => {
    await pool.query('insert into contract values (7)')
    const client = await pool.connect()
    const failed = answersOf(client, [sql`insert into contract values (7)`])
    await expect(failed).rejects.toBeInstanceOf(pg.DatabaseError)
    await expect(failed).rejects.toMatchObject({ code: '23505', table: 'contract', constraint: 'contract_pkey' })
    client.release()
    await pool.query('delete from contract')
  })

  test('inside a transaction makes its commit a rollback', async () => {
    const client = await pool.connect()
    expect(await outcomesOf(client, [sql`begin`, sql`select 1 / 0`])).toEqual([[], '22012'])
    expect(await outcomesOf(client, [sql`select 1`])).toEqual(['25P02'])
    const [answer] = await answersOf(client, [sql`commit`])
    expect(answer?.tag).toBe('ROLLBACK')
    expect(await outcomesOf(client, [sql`select 1`])).toEqual([[['1']]])
    client.release()
  })

  test('leaves every prepared statement usable, under one name each', async () => {
    const client = await pool.connect()
    const before = (n: number) => prepared(sql`select 'before', 6 / ${n}::int`)
    const failing = (n: number) => prepared(sql`select 'failing', 6 / ${n}::int`)
    const behind = (n: number) => prepared(sql`select 'behind', 6 / ${n}::int`)
    const unknown = () => prepared(sql`select 'unknown' from contract_later`)
    for (let round = 0; round < 3; round += 1) {
      expect(await outcomesOf(client, [before(2), failing(0), behind(2)])).toEqual([
        [['before', '3']],
        '22012',
        '22012',
      ])
      expect(await outcomesOf(client, [before(3), unknown(), behind(3)])).toEqual([[['before', '2']], '42P01', '42P01'])
    }
    expect(await outcomesOf(client, [behind(1), failing(1), before(1)])).toEqual([
      [['behind', '6']],
      [['failing', '6']],
      [['before', '6']],
    ])
    const names = sql`select statement from pg_prepared_statements where statement ~ '6 / ' order by 1`
    expect(await outcomesOf(client, [names])).toEqual([
      [["select 'before', 6 / $1::int"], ["select 'behind', 6 / $1::int"], ["select 'failing', 6 / $1::int"]],
    ])
    client.release()
  })

  test('cannot come from too many prepared statements: a connection prepares the first 200', async () => {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    const many = Array.from({ length: 230 }, (_, n) => `select ${n} + $1::int`)
    for (const text of many) {
      const query = prepared(new Sql(text.split('$1'), [1]))
      expect(await outcomesOf(client, [query])).toEqual([[[`${many.indexOf(text) + 1}`]]])
    }
    const [[[count] = []] = []] = await outcomesOf(client, [sql`select count(*) from pg_prepared_statements`])
    expect(count).toBe('200')
    await client.end()
  })

  test('by a timeout or a cancellation ends only its batch', async () => {
    const client = await pool.connect()
    const limited = [sql`set local statement_timeout = 20`, sql`select pg_sleep(60)`, sql`select 1`]
    expect(await outcomesOf(client, [sql`begin`, ...limited])).toEqual([[], [], '57014', '57014'])
    expect(await outcomesOf(client, [sql`rollback`, sql`show statement_timeout`])).toEqual([[], [['0']]])
    const [[[pid = ''] = []] = []] = await outcomesOf(client, [sql`select pg_backend_pid()`])
    const sleeping = outcomesOf(client, [sql`select pg_sleep(60)`, sql`select 1`])
    const cancel = sql`select pg_cancel_backend(pid) from pg_stat_activity
      where pid = ${pid}::int and wait_event = 'PgSleep'`
    await expect.poll(() => outcomesOf(observer, [cancel])).toEqual([[['t']]])
    expect(await sleeping).toEqual(['57014', '57014'])
    expect(await outcomesOf(client, [sql`select 1`])).toEqual([[['1']]])
    client.release()
  })
})

describe('a lost connection', () => {
  test('fails every statement that is not answered, and is replaced by the pool', async () => {
    const client = await pool.connect()
    const outcomes = await outcomesOf(client, [sql`select pg_terminate_backend(pg_backend_pid())`, sql`select 1`])
    expect(outcomes).toEqual(['57P01', '57P01'])
    expect(await outcomesOf(client, [sql`select 1`])).toEqual([expect.stringMatching(/not queryable|terminated/)])
    client.release()
    const next = await pool.connect()
    expect(await outcomesOf(next, [sql`select 1`])).toEqual([[['1']]])
    next.release()
  })

  test('in the middle of an answer fails that statement and those behind it', async () => {
    const proxy = await startProxy(databaseUrl)
    const client = new pg.Client(proxy.url)
    client.on('error', () => {})
    await client.connect()
    proxy.cutAfterAnswerBytes(300_000)
    const outcomes = await outcomesOf(client, [sql`select 1`, sql`select repeat('x', 1000000)`, sql`select 2`])
    expect(outcomes).toEqual([[['1']], 'Connection terminated unexpectedly', 'Connection terminated unexpectedly'])
    await proxy.stop()
  })
})

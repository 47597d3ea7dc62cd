import { randomUUID } from 'node:crypto'
import pg from 'pg'
import pino from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { Database } from '../database/database.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { addPartitionsAround, hourlyTasks } from './housekeeping.ts'

const now = new Date('2031-01-31T23:30:00Z')
const around = ['2030_11', '2030_12', '2031_01', '2031_02', '2031_03', '2031_04']
const tables = ['event', 'history', 'link_history'] as const

let database: TestDatabase
let client: pg.Client

beforeEach(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.databaseUrl)
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

test.each(tables)('the months around now each have a partition of %s, across the end of the year', async (table) => {
  await addPartitionsAround(database.databaseUrl, now)
  expect(await partitionsOf(table)).toEqual([...around.map((month) => `${table}_${month}`), `${table}_default`])
})

test.each(tables)('a row of %s is in the partition of its month, or else in the default', async (table) => {
  await addPartitionsAround(database.databaseUrl, now)
  expect(await placeOf(table, '2030-11-01T00:00:00Z')).toBe(`${table}_2030_11`)
  expect(await placeOf(table, '2031-01-31T23:59:59.999Z')).toBe(`${table}_2031_01`)
  expect(await placeOf(table, '2031-02-01T00:00:00Z')).toBe(`${table}_2031_02`)
  expect(await placeOf(table, '2030-10-31T23:59:59.999Z')).toBe(`${table}_default`)
  expect(await placeOf(table, '2031-05-01T00:00:00Z')).toBe(`${table}_default`)
})

test('an hour later nothing is added, and a month later one month', async () => {
  await addPartitionsAround(database.databaseUrl, now)
  await addPartitionsAround(database.databaseUrl, new Date('2031-02-01T00:30:00Z'))
  const months = [...around, '2031_05']
  expect(await partitionsOf('event')).toEqual([...months.map((month) => `event_${month}`), 'event_default'])
})

test.each(tables)(
  'a month whose rows of %s are in the default keeps them there, and the others are added',
  async (table) => {
    expect(await placeOf(table, '2030-12-24T12:00:00Z')).toBe(`${table}_default`)
    await addPartitionsAround(database.databaseUrl, now)
    const remaining = around.filter((month) => month !== '2030_12')
    expect(await partitionsOf(table)).toEqual([...remaining.map((month) => `${table}_${month}`), `${table}_default`])
    expect(await placeOf(table, '2030-12-25T12:00:00Z')).toBe(`${table}_default`)
    expect(await rowsOf(table)).toBe(2)
  },
)

test('a task that fails stops no other, and a month whose compilation fails is compiled at the next time', async () => {
  const lines: string[] = []
  const log = pino({ level: 'warn', base: null }, { write: (line: string) => void lines.push(line) })
  const logged = () => lines.splice(0).map((line) => z.object({ msg: z.string() }).parse(JSON.parse(line)).msg)
  const { databaseUrl, logins } = database
  const app = new Database({ logins, connections: 2 })
  onTestFinished(() => app.close())
  await client.query('alter table mail rename to renamed')
  let compiled = 0
  const everything = async () => {
    compiled += 1
    if (compiled === 1) throw new Error('It failed.')
  }
  let at = now
  const { signal } = new AbortController()
  const tidy = hourlyTasks({ database: app, databaseUrl, compileJob: { everything }, now: () => at, log, signal })
  await tidy()
  expect([logged(), compiled]).toEqual([['pruning emails failed; will retry in an hour'], 0])
  await client.query('alter table renamed rename to mail')
  at = new Date('2031-02-01T00:30:00Z')
  await tidy()
  expect([logged(), compiled]).toEqual([['the monthly compilation failed; will retry in an hour'], 1])
  await tidy()
  await tidy()
  expect([logged(), compiled]).toEqual([[], 2])
})

async function partitionsOf(table: string) {
  const { rows } = await client.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass',
    [table],
  )
  return rows.map(({ name }) => name).toSorted()
}

/** Stores a row with this moment, and returns the partition that holds it. */
async function placeOf(table: (typeof tables)[number], at: string) {
  const { rows } = await client.query<{ place: string }>(insertions[table], [randomUUID(), at])
  return rows[0]?.place
}

const insertions = {
  event: `insert into event (event_id, event_account, event_type, event_category, event_severity, event_occurred_at)
          values ($1, 1, 'unit.online', 'unit', 'info', $2) returning tableoid::regclass::text as place`,
  history: `insert into history (history_id, history_account, history_collection, history_item, history_action,
                                 history_at, history_schema)
            values ($1, 1, 'doors', gen_random_uuid(), 'create', $2, 1) returning tableoid::regclass::text as place`,
  link_history: `insert into link_history (link_history_account, link_history_owner, link_history_field, link_history_kind,
                                           link_history_target, link_history_action, link_history_at)
                 values (1, $1, 'members', 'users', gen_random_uuid(), 'added', $2) returning tableoid::regclass::text as place`,
}

async function rowsOf(table: string) {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)
  return rows[0]?.count
}

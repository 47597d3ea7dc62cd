import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { startOwnServer } from '../test-server.ts'
import { prepared } from './prepared-statements.ts'

const server = await startOwnServer()
afterAll(server.stop)
const { database } = server
const holds = sql`true`

test('the results come in the order of the queries, as texts', async () => {
  const values = [true, 7, 'a "quoted" \\ text', ['x', 'y"\\z'], [1, 2], { a: [null] }, null]
  const cells = sql`select ${values[0]}::boolean, ${values[1]}::int, ${values[2]}::text, ${values[3]}::text[],
    ${values[4]}::int[], ${values[5]}::jsonb, ${values[6]}::text, ${Buffer.from('z')}::bytea`
  const queries = [sql`select generate_series(1, 3)`, sql`select 1 where false`, cells]
  const answers = await database.ask({ accounts: [], holds }, queries)
  expect(answers).toEqual([
    [['1'], ['2'], ['3']],
    [],
    [['t', '7', 'a "quoted" \\ text', String.raw`{x,"y\"\\z"}`, '{1,2}', '{"a": [null]}', null, String.raw`\x7a`]],
  ])
})

test('nothing is returned if the condition does not hold', async () => {
  const queries = [sql`select 1`]
  expect(await database.ask({ accounts: [], holds: sql`false` }, queries)).toBeUndefined()
  expect(await database.ask({ accounts: [], holds: sql`null::boolean` }, queries)).toBeUndefined()
})

test('a failed batch stores nothing, and the connection stays usable', async () => {
  const main = await server.keyOf('main')
  const make = sql`insert into contact (contact_id, contact_account, contact_name, contact_notify)
    values (gen_random_uuid(), ${main}, 'never', '[]')`
  const run = (divisor: number) =>
    database.ask({ accounts: [main], holds }, [prepared(make), prepared(sql`select 6 / ${divisor}::int`)])
  for (let round = 0; round < 3; round++) await expect(run(0)).rejects.toMatchObject({ code: '22012' })
  expect(await run(2)).toEqual([[], [['3']]])
  for (let round = 0; round < 3; round++) await expect(run(0)).rejects.toMatchObject({ code: '22012' })
  const stored = await database.asSystem((tx) => tx.run(sql`select from contact where contact_name = 'never'`))
  expect(stored).toBe(1)
})

test('a query never leaves its accounts to the next on the same connection', async () => {
  const seen = sql`select count(*) from account`
  const main = await server.keyOf('main')
  for (let round = 0; round < 30; round++) {
    const accounts = round % 2 === 0 ? [main] : []
    const [[[count] = []] = []] = (await database.ask({ accounts, holds }, [prepared(seen)])) ?? []
    expect(count).toBe(String(accounts.length))
    await expect(
      database.inAccounts([], (tx) => tx.run(sql`select from account`)),
      'a transaction after it',
    ).resolves.toBe(0)
  }
})

test('a lost connection fails its query and is replaced', async () => {
  const run = (query: ReturnType<typeof sql>) => database.ask({ accounts: [], holds }, [query])
  await expect(run(sql`select pg_terminate_backend(pg_backend_pid())`)).rejects.toThrow()
  await expect.poll(() => run(sql`select 1`).catch(() => 'lost')).toEqual([[['1']]])
})

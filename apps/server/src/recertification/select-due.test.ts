import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startOwnServer } from '../test-server.ts'
import { type Due, selectCountOfDue, selectDue } from './select-due.ts'

const server = await startOwnServer()
afterAll(server.stop)

const key = await server.keyOf('main')
const otherAccounts = 50
const now = Date.now()

/** A large table, mostly of our account, recertified over the last year in random order, as in production. */
beforeAll(async () => {
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into account (account_id, account_ref, account_name, account_default_time_zone, account_parent)
      select gen_random_uuid(), 'a' || n, 'x', 'UTC', account_id from account, generate_series(1, ${otherAccounts}) n
       where account_ref = 'main'`)
    await tx.run(sql`insert into person (person_id, person_home, person_name)
      select gen_random_uuid(), ${key}, 'x ' || n from generate_series(1, 20000) n`)
    await tx.run(sql`insert into membership (membership_user, membership_account, membership_last_recertified_at)
      select person_id, case when n % 5 > 0 then ${key}::int else ${key}::int + 1 + n % ${otherAccounts}::int end,
             now() - (n % 365) * interval '1 day'
        from (select person_id, row_number() over (order by person_id) as n from person where person_name like 'x %') people`)
  })
  const owner = new pg.Client(server.databaseUrl)
  await owner.connect()
  await owner.query('analyze')
  await owner.end()
})

const accountId = uuidv7()
const periods = [{ account: key, accountId, days: 360 }]
const tree = Array.from({ length: otherAccounts + 1 }, (_, index) => ({
  account: key + index,
  accountId,
  days: 300 + index,
}))
const due = (choice: Due['due']): Due => ({ due: choice, days: 30, search: '' })

test.each(['asc', 'desc'] as const)(
  '§7 the list of due users, %s, reads by index only the rows it shows',
  async (dir) => {
    for (const choice of ['overdue', 'soon', 'all'] as const) {
      const page = { page: 0, size: 50, ...due(choice) }
      const steps = await plan(periods, selectDue({ periods, query: page, now, sort: { prop: 'recertifyBy', dir } }))
      expect(steps.flatMap((step) => step['Index Name'] ?? [])).toContain('membership_to_recertify')
      expect(most(steps)).toBeLessThanOrEqual(100)
    }
  },
)

test('§7 of a tree of accounts it reads at most one page of each', async () => {
  const page = { page: 0, size: 50, ...due('all') }
  const statement = selectDue({ periods: tree, query: page, now, sort: { prop: 'recertifyBy', dir: 'asc' } })
  expect(most(await plan(tree, statement))).toBeLessThanOrEqual(tree.length * 50)
})

test('§7 due users are counted by index, without reading the others', async () => {
  const steps = await plan(periods, selectCountOfDue({ periods, query: due('overdue'), now, most: 100_000 }))
  expect(steps.flatMap((step) => step['Index Name'] ?? [])).toContain('membership_to_recertify')
  expect(most(steps)).toBeLessThanOrEqual(400)
})

const node = z.object({
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  'Index Name': z.string().optional(),
  get Plans() {
    return z.array(node).default([])
  },
})
type PlanNode = z.output<typeof node>
const explained = z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: node })]) })

/** The steps of the query plan, with the role that serves requests and its accounts set. */
async function plan(periods: readonly { account: number }[], statement: Sql): Promise<PlanNode[]> {
  const accounts = periods.map(({ account }) => account)
  const row = await server.database.inAccounts(accounts, (tx) =>
    tx.first(explained, sql`explain (analyze, format json) ${statement}`),
  )
  return nodesOf(explained.parse(row)['QUERY PLAN'][0].Plan)
}

/** The highest number of rows that one step reads. */
function most(steps: readonly PlanNode[]) {
  return Math.max(...steps.map((step) => (step['Actual Rows'] + step['Rows Removed by Filter']) * step['Actual Loops']))
}

function nodesOf(step: PlanNode): PlanNode[] {
  return [step, ...step.Plans.flatMap(nodesOf)]
}

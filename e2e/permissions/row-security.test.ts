import { sites } from '@portcullis/contract/collections/sites'
import sql from 'sql-template-tag'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { belongsTo } from '@portcullis/server/query/belongs-to'
import { listCondition } from '@portcullis/server/query/list-condition'
import { isOfAccounts } from './document-routes.ts'
import { eighth, form, formTitle, openMatrix, patienceMs, describeFindings } from './open-matrix.ts'
import { runMatrix } from './run-matrix.ts'

// A planted fault: no query of the server filters by account, so only row level security separates accounts.
vi.mock(import('@portcullis/server/query/belongs-to'), async () => {
  const { default: sql } = await import('sql-template-tag')
  return { belongsTo: vi.fn<typeof belongsTo>(() => sql`true`) }
})

const { server, world, send, routesOfPart: routes, stop } = await openMatrix()
afterAll(stop)

const own = [world.keyOf('own')]
const condition = listCondition({ collection: sites, accounts: own, request: { filter: {}, search: '' } })
const accounts = z.object({ account: z.int() })
const query = sql`select distinct site_account as account from site where ${condition}`

test('without the filter, a query selects from every account but returns rows of its own only', async () => {
  expect(condition.text).not.toContain('site_account')
  const everything = await server.database.asSystem((tx) => tx.rows(accounts, query))
  expect(everything.length).toBeGreaterThan(4)
  const inSight = await server.database.inAccounts(own, (tx) => tx.rows(accounts, query))
  expect(inSight.map(({ account }) => account)).toEqual(own)
})

test(
  '§1 one visible set: row level security alone keeps it when queries do not filter by account',
  async () => {
    const some = routes.filter(isOfAccounts)
    const title = `Row level security alone (${formTitle}), ${some.length} routes`
    vi.mocked(belongsTo).mockClear()
    const report = await runMatrix({ title, world, send, routes: some, form, eighth, locks: 'row security' })
    process.stdout.write(`${report.toString()}\n`)
    expect(describeFindings(report.crossings)).toEqual([])
    expect(describeFindings(report.surprises)).toEqual([])
    expect(vi.mocked(belongsTo).mock.calls.length).toBeGreaterThan(1_000)
  },
  patienceMs[form],
)

import { sites } from '@portcullis/contract/collections/sites'
import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { databaseIn } from '@portcullis/server/database/test-engine'
import { isOfAccounts } from './document-routes.ts'
import { eighth, form, formTitle, isWhole, openMatrix, patienceMs, describeFindings } from './open-matrix.ts'
import { runMatrix } from './run-matrix.ts'

const { server, world, send, routesOfPart: routes, stop } = await openMatrix()
afterAll(stop)

// A planted fault: row level security is off, so only the server's own queries separate accounts.
beforeAll(async () => {
  const superuser = new pg.Client(databaseIn(inject('testAdminUrl'), new URL(server.databaseUrl).pathname.slice(1)))
  await superuser.connect()
  await superuser.query(`do $$ declare locked text; begin
    for locked in select relname from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity loop
      execute format('alter table %I disable row level security', locked);
    end loop; end $$`)
  await superuser.end()
})

test('with row level security off, a query without an account filter returns rows of all accounts', async () => {
  const seen = await server.database.inAccounts([world.keyOf('own')], (tx) => tx.run(sql`select from site`))
  expect(seen).toBe(world.rowsIn(sites.name, new Set(['root', 'parent', 'own', 'child', 'sibling'])).length)
})

test(
  '§1 one visible set: the server’s own filter alone keeps it',
  async () => {
    const accountRoutes = routes.filter(isOfAccounts)
    // Every fifth route covers each verb in turn, because collections have 8 or 9 calls.
    const some = form === 'full' ? accountRoutes : accountRoutes.filter((_route, index) => index % 5 === 0)
    const title = `The server's filter alone (${formTitle}), ${some.length} routes`
    const report = await runMatrix({ title, world, send, routes: some, form, eighth, locks: 'filter' })
    process.stdout.write(`${report.toString()}\n`)
    expect(describeFindings(report.crossings)).toEqual([])
    expect(describeFindings(report.surprises)).toEqual([])
    // A part may have no route with one of these methods.
    if (!isWhole) return
    expect(some.map(({ method }) => method)).toEqual(expect.arrayContaining(['GET', 'POST', 'PATCH', 'DELETE']))
  },
  patienceMs[form],
)

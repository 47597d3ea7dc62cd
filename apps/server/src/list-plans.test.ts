import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import pg from 'pg'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { minimalItem, written, type Written } from './collections/test-items.ts'
import { deletionOfPieces } from './desired/prune-configs.ts'
import { countEvents } from './read-models/count-events.ts'
import { testNumbers } from './numbers/test-numbers.ts'
import { collectionHooks } from './hooks-by-collection.ts'
import { startOwnServer } from './test-server.ts'
import { tableOf } from './query/columns.ts'
import { hasSteadyPlan, preferIndexOrder } from './query/has-steady-plan.ts'
import { readListRequest } from './query/list-request.ts'
import { selectPage, type Way } from './query/select-page.ts'
import { pageStrategyOf } from './query/page-strategy.ts'

const hooksByCollection = collectionHooks(testNumbers())
const server = await startOwnServer()
afterAll(server.stop)

const key = await server.keyOf('main')
const site = '01900000-0000-7000-8000-000000000001'
/** A fifth of 50,000 events and as many entries are the account's own; some entries record its setup. */
const ownLogged = 10_100

/**
 * Large tables in no order, with most rows in the account; events in the partition of one month, a fifth of them in the
 * account.
 */
beforeAll(async () => {
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into account (account_id, account_ref, account_name, account_default_time_zone, account_parent)
      select gen_random_uuid(), 'a' || n, 'x', 'UTC', account_id from account, generate_series(1, 1500) n where account_ref = 'main'`)
    await tx.run(
      sql`insert into site (site_id, site_account, site_name, site_time_zone) values (${site}, ${key}, 'x', 'UTC')`,
    )
    const accountOfRow = sql`case when n % 10 > 0 then ${key}::int else ${key}::int + 1 + n % 100 end`
    for (const name of written) {
      if (name !== 'accounts' && name !== 'users') await tx.run(fillSql(name, accountOfRow))
    }
    const pieces = Array.from({ length: 40 }, (_, digest) => ({ digest: `${digest}` }))
    await tx.run(sql`insert into unit_config (unit_config_unit, unit_config_version, unit_config_policy_version,
        unit_config_hash, unit_config_bytes, unit_config_pieces)
      select unit_id, version, 1, 'x', 1, ${JSON.stringify(pieces)}::jsonb
        from (select unit_id from unit limit 1000) units, generate_series(1, 2) version`)
    await tx.run(sql`insert into unit_config_piece
      select unit_config_unit, piece ->> 'digest', 'x' from unit_config, jsonb_array_elements(unit_config_pieces) piece
       where unit_config_version = 1`)
    await tx.run(sql`insert into task (task_id, task_account, task_type, task_status, task_user, task_user_name, task_door,
        task_door_name, task_site_name, task_data, task_created_at)
      select gen_random_uuid(), ${accountOfRow}, 'RemoteAuthRequest', case when n % 1000 = 1 then 'Requested' else 'Expired' end,
          ${site}::uuid, 'x', ${site}::uuid, 'x', 'x', '{}', now() - n * interval '1 minute'
        from generate_series(1, 5000) n`)
    await tx.run(sql`insert into lockdown (lockdown_id, lockdown_account, lockdown_plan, lockdown_name, lockdown_started_by,
        lockdown_started_by_name, lockdown_started_at, lockdown_ended_at)
      select gen_random_uuid(), ${accountOfRow}, ${site}::uuid, 'x', ${site}::uuid, 'x', now() - n * interval '1 minute', now()
        from generate_series(1, 5000) n`)
    await tx.run(sql`insert into person (person_id, person_home, person_name)
      select gen_random_uuid(), ${key}, 'x' from generate_series(1, 5000)`)
    await tx.run(sql`insert into membership (membership_user, membership_account)
      select person_id, ${accountOfRow} from (select person_id, row_number() over () as n from person where person_name = 'x') people`)
    await tx.run(sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_occurred_at)
      select gen_random_uuid(), case when n % 5 = 0 then ${key}::int else ${key}::int + 1 + n % 100 end, 'access.granted', 'access', 'info',
             date_trunc('month', now()) + n * interval '50 seconds' from generate_series(1, 50000) n`)
  })
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into history (history_id, history_account, history_collection, history_item, history_action,
        history_actor, history_at, history_schema, history_position)
      select gen_random_uuid(), case when n % 5 = 0 then ${key}::int else ${key}::int + 1 + n % 100 end, c, gen_random_uuid(),
             case when n % 1000 = 0 then 'delete' else 'patch' end, case when n % 1000 = 5 then ${site}::uuid end,
             date_trunc('month', now()) + n * interval '50 seconds', 1, n - 100000
        from generate_series(1, 50000) n, lateral (select case when n % 1000 = 10 then 'rules' else 'sites' end) as of (c)`),
  )
  await foldAllEvents()
  const owner = new pg.Client(server.databaseUrl)
  await owner.connect()
  await owner.query('analyze')
  await owner.end()
})

/** Also the deltas that the server itself is folding: this waits for its transaction. */
async function foldAllEvents() {
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`select 1 from event_delta for update`)
    await tx.run(sql`select fold_event_deltas(1000000)`)
  })
}

/** Values that differ in each row `n`, by field. */
const ofEachRow: Readonly<Record<string, Sql>> = {
  'units.serial': sql`n`,
  'credentials.number': sql`n`,
  'rules.adhoc': sql`case when n % 100 = 1 then
    jsonb_build_object('from', now() + n * interval '1 minute', 'until', now() + (n + 60) * interval '1 minute') end`,
}

/** Many rows of a collection, each with the minimum fields of an item. */
function fillSql(name: Written, account: Sql) {
  const collection: Collection = collections[name]
  const table = tableOf(collection)
  const item = collection.createSchema.parse(minimalItem(name, { site }))
  const columns = [...table.columns.values()].filter(({ field, link }) => !link && field in item)
  const values = columns.map(({ field, kind }) => {
    const value = kind === 'json' ? sql`${JSON.stringify(item[field])}::jsonb` : sql`${item[field]}`
    return ofEachRow[`${name}.${field}`] ?? value
  })
  const names = [table.id, table.account, ...columns.map(({ bare }) => bare)]
  return sql`insert into ${table.name} (${join(names)})
    select ${join([sql`gen_random_uuid()`, account, ...values])} from generate_series(1, 5000) n`
}

const tree = Array.from({ length: 25 }, (_, index) => key + index)
/** More accounts than are read one by one. */
const allAccounts = Array.from({ length: 1501 }, (_, index) => key + index)

describe.each(Object.values<Collection>(collections))('$name', (collection) => {
  const path = `/api/${collection.name}?size=50`

  test('the newest page, and any page after a cursor, reads only what it shows', async () => {
    const { next } = await server.ask('GET', path)
    expect(await maxRowsRead(collection, { size: '50' })).toBeLessThanOrEqual(100)
    if (collection.name === 'accounts') return
    expect(await maxRowsRead(collection, { size: '50', after: next ?? '' })).toBeLessThanOrEqual(100)
  })

  test('in some accounts of a tree, pages read at most one page of each', async () => {
    const { next } = await server.ask('GET', path)
    const few = { accounts: tree, way: 'apart' } as const
    expect(await maxRowsRead(collection, { size: '50' }, few)).toBeLessThanOrEqual(25 * 50)
    if (collection.name === 'accounts') return
    expect(await maxRowsRead(collection, { size: '50', after: next ?? '' }, few)).toBeLessThanOrEqual(25 * 50)
  })

  test('in a tree that holds nearly all rows, pages read only what they show', async () => {
    const { next } = await server.ask('GET', path)
    const all = { accounts: allAccounts } as const
    expect(await pageStrategyOf(server.database, { collection, ...all, request: newest(collection) })).toBe('together')
    // The installation has no accounts outside the tree.
    if (collection.name === 'accounts') return
    expect(await maxRowsRead(collection, { size: '50' }, all)).toBeLessThanOrEqual(150)
    expect(await maxRowsRead(collection, { size: '50', after: next ?? '' }, all)).toBeLessThanOrEqual(150)
  })

  test('accounts that hold few rows are read one by one, whatever their number', async () => {
    expect(
      await pageStrategyOf(server.database, {
        collection,
        accounts: allAccounts.slice(1, 50),
        request: newest(collection),
      }),
    ).toBe('apart')
  })

  test.each([[], ...(hooksByCollection[collection.name]?.foundBy ?? [])].map((fields) => [fields]))(
    'with %j are found by an index',
    async (fields) => {
      const { columns } = tableOf(collection)
      const filter = Object.fromEntries(fields.map((field) => [field, columns.get(field)?.kind === 'id' ? site : 'x']))
      const query = { size: '50', filter: JSON.stringify(filter) }
      expect(await maxRowsRead(collection, query)).toBeLessThanOrEqual(100)
      for (const where of [{}, { accounts: tree, way: 'apart' }] as const) {
        const { input, page } = pageOf(collection, query, where)
        expect(hasSteadyPlan(input)).toBe(true)
        const steps = await preparedPlan({ accounts: input.accounts, statement: page })
        expect(most(steps)).toBeLessThanOrEqual(Math.max(100, input.accounts.length * 50))
      }
    },
  )
})

describe.each<Collection>([collections.events, collections.auditLogs])('$name of one account', (collection) => {
  const { columns } = tableOf(collection)

  test.each(collection.queryable.filter((field) => columns.has(field) && columns.get(field)?.kind !== 'json'))(
    'in the order of %s are read without those of other accounts',
    async (prop) => {
      for (const dir of ['asc', 'desc']) {
        const sort = JSON.stringify({ prop, dir })
        expect(await maxRowsRead(collection, { sort, size: '50' })).toBeLessThanOrEqual(ownLogged)
      }
    },
  )

  test('are searched without those of other accounts', async () => {
    expect(await maxRowsRead(collection, { search: 'nowhere to be found', size: '50' })).toBeLessThanOrEqual(ownLogged)
  })
})

test('users by name, of accounts that hold most of them, are read in the order of their names', async () => {
  const query = { sort: JSON.stringify({ prop: 'name', dir: 'asc' }), size: '50' }
  const request = readListRequest(collections.users, query)
  const all = {
    accounts: tree,
    way: await pageStrategyOf(server.database, { collection: collections.users, accounts: tree, request }),
  }
  expect(all.way).toBe('together')
  expect(await indexesRead(collections.users, query, all)).toContain('person_by_name')
})

test('counting events reads totals, and single events only for partial hours', async () => {
  const month = new Date().toISOString().slice(0, 8)
  const occurredAt = { gte: `${month}02T03:30:00Z`, lt: `${month}20T03:30:00Z` }
  for (const filter of [{}, { type: 'access.granted' }, { occurredAt }, { type: 'access.granted', occurredAt }]) {
    const statement = countEvents({ accounts: [key], filter }) ?? sql``
    expect(most(await plan({ accounts: [key], statement }))).toBeLessThanOrEqual(100)
  }
})

test('following the audit log reads only new, settled entries', async () => {
  const sort = JSON.stringify({ prop: 'position', dir: 'asc' })
  const query = { sort, size: '50' }
  const settled = async () => (await server.ask('GET', `/api/auditLogs?${new URLSearchParams(query).toString()}`)).next
  await expect.poll(settled).not.toBeNull()
  const after = (await settled()) ?? ''
  expect(await maxRowsRead(collections.auditLogs, query)).toBeLessThanOrEqual(100)
  expect(await maxRowsRead(collections.auditLogs, { ...query, after })).toBeLessThanOrEqual(100)
})

test('pruning reads the pieces of the configurations of its units once, and of no others', async () => {
  const row = await server.database.asSystem(async (tx) => {
    const units = await tx.rows(
      z.object({ id: z.uuid() }),
      sql`select distinct unit_config_unit as id from unit_config limit 100`,
    )
    return tx.first(explained, sql`explain (analyze, format json) ${deletionOfPieces(units.map(({ id }) => id))}`)
  })
  expect(most(nodesOf(explained.parse(row)['QUERY PLAN'][0].Plan))).toBeLessThanOrEqual(100 * 2 * 40)
})

test('open remote access requests are found by an index', async () => {
  const filter = JSON.stringify({ type: 'RemoteAuthRequest', status: 'Requested' })
  const sort = JSON.stringify({ prop: 'createdAt', dir: 'desc' })
  expect(await maxRowsRead(collections.tasks, { filter, sort })).toBeLessThanOrEqual(100)
})

test.each(['asc', 'desc'])('temporary rules, by their end, are found by an index: %s', async (dir) => {
  const sort = JSON.stringify({ prop: 'adhoc.until', dir })
  const held = { 'adhoc.from': { lte: '2100-01-01T00:00:00Z' }, 'adhoc.until': { gt: '2000-01-01T00:00:00Z' } }
  for (const filter of [{ 'adhoc.until': { exists: true } }, held]) {
    const query = { filter: JSON.stringify(filter), sort }
    expect(await maxRowsRead(collections.rules, query)).toBeLessThanOrEqual(100)
    expect(await indexesRead(collections.rules, query, {})).toContain('rule_for_a_time')
  }
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

type Where = { accounts?: readonly number[]; way?: Way }

function pageOf(collection: Collection, query: Record<string, string>, { accounts = [key], way = 'together' }: Where) {
  const { foundBy } = hooksByCollection[collection.name] ?? {}
  const input = { collection, accounts, foundBy, request: readListRequest(collection, query) }
  return { input, page: selectPage({ ...input, way }) }
}

/** The most rows that a step of a page's plan reads. */
async function maxRowsRead(collection: Collection, query: Record<string, string>, where: Where = {}) {
  const { input, page } = pageOf(collection, query, where)
  return most(
    await plan({ accounts: input.accounts, statement: page, first: hasSteadyPlan(input) ? [preferIndexOrder] : [] }),
  )
}

function newest(collection: Collection) {
  return readListRequest(collection, {})
}

async function indexesRead(collection: Collection, query: Record<string, string>, where: Where) {
  const { input, page } = pageOf(collection, query, where)
  const steps = await plan({ accounts: input.accounts, statement: page })
  return steps.flatMap((step) => step['Index Name'] ?? [])
}

type PlanInput = { accounts: readonly number[]; statement: Sql; first?: readonly Sql[] }

/** The steps of a plan, run as the role for users' requests with its accounts set. */
async function plan({ accounts, statement, first = [] }: PlanInput) {
  const row = await server.database.inAccounts(accounts, async (tx) => {
    for (const query of first) await tx.run(query)
    return tx.first(explained, sql`explain (analyze, format json) ${statement}`)
  })
  return nodesOf(explained.parse(row)['QUERY PLAN'][0].Plan)
}

/** The same for the generic plan of a prepared statement. */
async function preparedPlan({ accounts, statement }: PlanInput) {
  const values = statement.values.map((value) =>
    pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value)),
  )
  const row = await server.database.inAccounts(accounts, async (tx) => {
    await tx.run(preferIndexOrder)
    await tx.run(raw('set local plan_cache_mode = force_generic_plan'))
    await tx.run(raw(`prepare kept as ${statement.text}`))
    const found = await tx.first(explained, raw(`explain (analyze, format json) execute kept (${values.join()})`))
    await tx.run(raw('deallocate kept'))
    return found
  })
  return nodesOf(explained.parse(row)['QUERY PLAN'][0].Plan)
}

function most(plan: readonly PlanNode[]) {
  return Math.max(...plan.map((step) => (step['Actual Rows'] + step['Rows Removed by Filter']) * step['Actual Loops']))
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...plan.Plans.flatMap(nodesOf)]
}

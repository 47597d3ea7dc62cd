import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer } from '../test-server.ts'
import { readListRequest } from './list-request.ts'
import { selectPage } from './select-page.ts'

const server = await startTestServer()
afterAll(server.stop)

const key = await server.keyOf('main')
const site = '01900000-0000-7000-8000-000000000001'

/** Large tables, most of their rows ours, in no order; events all in the partition of one month, a fifth of them ours. */
beforeAll(async () => {
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into account (account_id, account_ref, account_name, account_default_time_zone, account_parent)
      select gen_random_uuid(), 'a' || n, 'x', 'UTC', account_id from account, generate_series(1, 1500) n where account_ref = 'main'`)
    await tx.run(
      sql`insert into site (site_id, site_account, site_name, site_time_zone) values (${site}, ${key}, 'x', 'UTC')`,
    )
    const ours = sql`case when n % 10 > 0 then ${key}::int else ${key}::int + 1 + n % 100 end`
    const fill = (table: string, columns: string, values: Sql = sql``) =>
      tx.run(sql`insert into ${raw(table)} (${raw(`${table}_id, ${table}_account, ${columns}`)})
        select gen_random_uuid(), ${ours} ${values} from generate_series(1, 5000) n`)
    await fill('site', 'site_name, site_time_zone', sql`, 'x', 'UTC'`)
    await fill('unit', 'unit_name, unit_serial', sql`, 'x', n`)
    await fill(
      'door',
      'door_name, door_site, door_relock_after_seconds, door_held_open_after_seconds, door_directions',
      sql`, 'x', ${site}::uuid, 5, 30, '{"entry": true, "exit": false}'`,
    )
    await fill('user_group', 'user_group_name', sql`, 'x'`)
    await fill('door_group', 'door_group_name', sql`, 'x'`)
    await fill('site_group', 'site_group_name', sql`, 'x'`)
    await fill('contact', 'contact_name, contact_notify', sql`, 'x', '[]'`)
    await fill('interlocking_group', 'interlocking_group_name', sql`, 'x'`)
    await fill('meta_data_template', 'meta_data_template_name, meta_data_template_fields', sql`, 'x', '[]'`)
    await fill('tenant', 'tenant_name, tenant_provider, tenant_enabled', sql`, 'x', 'oidc', true`)
    await fill('report', 'report_name, report_filter', sql`, 'x', '{}'`)
    await fill(
      'task',
      'task_type, task_status, task_user, task_user_name, task_door, task_door_name, task_site_name, task_data, task_created_at',
      sql`, 'RemoteAuthRequest', case when n % 1000 = 1 then 'Requested' else 'Expired' end, ${site}::uuid, 'x',
          ${site}::uuid, 'x', 'x', '{}', now() - n * interval '1 minute'`,
    )
    await fill('schedule', 'schedule_name, schedule_windows, schedule_holiday_hours', sql`, 'x', '[]', '{}'`)
    await fill('holiday', 'holiday_name, holiday_kind, holiday_dates', sql`, 'x', 'public', '[]'`)
    await fill('rule', 'rule_name, rule_effect, rule_direction, rule_enabled', sql`, 'x', 'allow', 'both', true`)
    await fill('credential', 'credential_kind, credential_number, credential_status', sql`, 'card', n, 'active'`)
    await tx.run(sql`insert into person (person_id, person_home, person_name)
      select gen_random_uuid(), ${key}, 'x' from generate_series(1, 5000)`)
    await tx.run(sql`insert into membership (membership_user, membership_account)
      select person_id, ${ours} from (select person_id, row_number() over () as n from person where person_name = 'x') people`)
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
  const owner = new pg.Client(server.databaseUrl)
  await owner.connect()
  await owner.query('analyze')
  await owner.end()
})

describe.each(Object.values<Collection>(collections))('$name', (collection) => {
  test('the newest page, and any page behind a cursor, reads only what it shows', async () => {
    const { next } = await server.ask('GET', `/api/${collection.name}?size=50`)
    expect(await mostRowsRead(collection, { size: '50' })).toBeLessThanOrEqual(100)
    if (collection.name === 'accounts') return
    expect(await mostRowsRead(collection, { size: '50', after: next ?? '' })).toBeLessThanOrEqual(100)
  })
})

test('the newest events of a door, a person or an outcome are found by their indexes', async () => {
  for (const filter of [{ outcome: 'denied' }, { user: site }, { door: site, type: 'access.denied' }]) {
    expect(await mostRowsRead(collections.events, { filter: JSON.stringify(filter) })).toBeLessThanOrEqual(100)
  }
})

test('the newest entries of the audit log of an item, a collection, a person or an action are found by their indexes', async () => {
  for (const filter of [{ item: site }, { collection: 'rules' }, { actor: site }, { action: 'delete' }]) {
    expect(await mostRowsRead(collections.auditLogs, { filter: JSON.stringify(filter) })).toBeLessThanOrEqual(100)
  }
})

test('who follows the audit log reads only what is new, and no further than it is settled', async () => {
  const sort = JSON.stringify({ prop: 'position', dir: 'asc' })
  const query = { sort, size: '50' }
  const settled = async () => (await server.ask('GET', `/api/auditLogs?${new URLSearchParams(query).toString()}`)).next
  await expect.poll(settled, { timeout: 20_000 }).not.toBeNull()
  const after = (await settled()) ?? ''
  expect(await mostRowsRead(collections.auditLogs, query)).toBeLessThanOrEqual(100)
  expect(await mostRowsRead(collections.auditLogs, { ...query, after })).toBeLessThanOrEqual(100)
})

test('requests for remote access that still wait are found among all that ever were', async () => {
  const filter = JSON.stringify({ type: 'RemoteAuthRequest', status: 'Requested' })
  const sort = JSON.stringify({ prop: 'createdAt', dir: 'desc' })
  expect(await mostRowsRead(collections.tasks, { filter, sort })).toBeLessThanOrEqual(100)
})

const node = z.object({
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  get Plans() {
    return z.array(node).default([])
  },
})
type PlanNode = z.output<typeof node>

/** The most rows that a step of the plan takes up, as the role that answers people and with its accounts set. */
async function mostRowsRead(collection: Collection, query: Record<string, string>) {
  const request = readListRequest(collection, query)
  const page = selectPage({ collection, accounts: [key], request, way: 'together' })
  const explained = z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: node })]) })
  const row = await server.database.inAccounts([key], (tx) =>
    tx.first(explained, sql`explain (analyze, format json) ${page}`),
  )
  return Math.max(...nodesOf(explained.parse(row)['QUERY PLAN'][0].Plan).map(rowsRead))
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...plan.Plans.flatMap(nodesOf)]
}

function rowsRead(plan: PlanNode) {
  return (plan['Actual Rows'] + plan['Rows Removed by Filter']) * plan['Actual Loops']
}

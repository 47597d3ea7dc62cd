import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { minimalItem, makeItem, written } from '../collections/test-items.ts'
import { schemaVersion } from '../database/read-migrations.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const key = await server.keyOf(server.account)

const entry = z.object({
  account: z.int(),
  collection: z.string(),
  action: z.string(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  actor: z.uuid().nullable(),
  request: z.string(),
  schema: z.int(),
  policyVersion: z.number().nullable(),
})

function historyOf(item: string) {
  return server.database.asSystem((tx) =>
    tx.rows(
      entry,
      sql`select history_account as account, history_collection as collection, history_action as action,
             history_before as before, history_after as after, history_actor as actor, history_request as request,
             history_schema as schema, history_policy_version as "policyVersion"
            from history where history_item = ${item} order by history_at`,
    ),
  )
}

test.each(written)('%s: every change is one row, with the changed fields before and after', async (collection) => {
  const made = await makeItem({ ask: server.ask, collection })
  const account = collection === 'accounts' ? String(made['ref']) : server.account
  const path = `/api/${collection}/${made._id}`
  const change = collection === 'credentials' ? { number: 'n-2' } : { name: 'Second' }
  const patched = await server.in(account)('PATCH', path, { body: change })
  await server.in(account)('DELETE', path)

  const rows = await historyOf(made._id)
  expect(rows.map(({ action }) => action)).toEqual(['create', 'patch', 'delete'])
  const [created, changed, deleted] = rows
  expect([created?.before, created?.after]).toEqual([null, made])
  const [field = ''] = Object.keys(change)
  const touched = [field, 'updatedAt', 'version']
  expect(changed?.before).toEqual(pick(made, touched))
  expect(changed?.after).toEqual(pick(patched.item, touched))
  expect([deleted?.before, deleted?.after]).toEqual([patched.json, null])
  // The deletion of an account is recorded in its parent, because its own log is no longer visible.
  const [main, own] = [await server.keyOf(server.account), created?.account]
  const keepers = [own, own, collection === 'accounts' ? main : own]
  expect(rows.map((row) => row.account)).toEqual(keepers)
  for (const row of rows) {
    expect(row).toMatchObject({
      collection,
      actor: server.userId,
      schema: await schemaVersion(),
    })
    expect(row.request).toMatch(/^[0-9a-f-]{36}$/)
  }
  const versions = rows.map(({ policyVersion }) => policyVersion ?? 0)
  const step = collections[collection].isPolicy ? 1 : 0
  expect(versions).toEqual([0, 1, 2].map((index) => (versions[0] ?? 0) + index * step))
  expect(rows.map(({ policyVersion }) => policyVersion !== null)).toEqual(rows.map(() => step === 1))
})

test('added and removed members are in the history of the changed item', async () => {
  const user = await makeItem({ ask: server.ask, collection: 'users' })
  const group = await makeItem({ ask: server.ask, collection: 'userGroups' })
  await server.ask('PATCH', `/api/userGroups/${group._id}`, { body: { members: [user._id] } })
  const rows = await historyOf(group._id)
  expect(rows.at(-1)?.before).toMatchObject({ members: [] })
  expect(rows.at(-1)?.after).toMatchObject({ members: [user._id] })
})

test('the deletion of a top-level account is recorded in its own history', async () => {
  const id = uuidv7()
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into account (account_id, account_ref, account_name, account_default_time_zone)
      values (${id}, 'lone', 'Lone', 'UTC')`),
  )
  const lone = await server.keyOf('lone')
  expect((await server.in('lone')('DELETE', `/api/accounts/${id}`)).status).toBe(204)
  expect(await historyOf(id)).toMatchObject([{ action: 'delete', account: lone, actor: server.userId }])
})

test('a refused change leaves no row and uses no version', async () => {
  const item = await makeItem({ ask: server.ask, collection: 'sites' })
  const before = await versionOfPolicy()
  const path = `/api/sites/${item._id}`
  await server.ask('PATCH', path, { body: { name: 'x', version: 9 } })
  await server.ask('POST', '/api/doors', { body: { name: 'x', site: server.userId } })
  await server.ask('POST', '/api/accounts', { body: { name: 'x', ref: server.account } })
  await server.ask('DELETE', `/api/sites/${server.userId}`)
  expect(await versionOfPolicy()).toBe(before)
  expect(await historyOf(item._id)).toHaveLength(1)
})

describe('the policy version', () => {
  test('grows in the order of commits: no reader sees a version without all earlier ones', async () => {
    const first = (await versionOfPolicy()) + 1
    const writers = Array.from({ length: 8 }, async () => {
      for (let count = 0; count < 6; count += 1) {
        const body = minimalItem('schedules', { site: '' })
        expect((await server.ask('POST', '/api/schedules', { body })).status).toBe(201)
      }
    })
    const seen: number[][] = []
    let isWriting = true
    const watching = (async () => {
      while (isWriting) seen.push(await versionsFrom(first))
    })()
    await Promise.all(writers)
    isWriting = false
    await watching
    const expected = Array.from({ length: 48 }, (_, index) => first + index)
    expect(await versionsFrom(first)).toEqual(expected)
    expect(seen.length).toBeGreaterThan(1)
    for (const versions of seen) expect(versions).toEqual(expected.slice(0, versions.length))
  })

  test('is shared by a tree of accounts', async () => {
    const before = await versionOfPolicy()
    await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'leaf' } })
    await makeItem({ ask: server.in('leaf'), collection: 'sites' })
    expect(await versionOfPolicy()).toBe(before + 2)
  })
})

async function versionOfPolicy() {
  const row = await server.database.asSystem((tx) =>
    tx.first(
      z.object({ version: z.number() }),
      sql`select policy_version as version from policy join account on account_key = policy_root where account_ref = ${server.account}`,
    ),
  )
  return row?.version ?? 0
}

async function versionsFrom(first: number) {
  const rows = await server.database.asSystem((tx) =>
    tx.rows(
      z.object({ version: z.number() }),
      sql`select history_policy_version as version from history join account on account_key = history_account
           where account_root = ${key} and history_policy_version >= ${first} order by version`,
    ),
  )
  return rows.map(({ version }) => version)
}

function pick(item: Record<string, unknown>, fields: string[]) {
  return Object.fromEntries(fields.map((field) => [field, item[field]]))
}

import { doors } from '@portcullis/contract/collections/doors'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('§6 lockdown: cards start one lockdown of their plan, and the audit log names the user', async () => {
  const { client, database } = server
  const site = (await client.of(sites).create({ name: 'Harbour', timeZone: 'UTC' }))._id
  const unit = (await client.of(units).create({ name: 'Gatehouse', serial: 'PC-1', site }))._id
  const door = (await client.of(doors).create({ name: 'Gate', site, unit, unitDoor: 1 }))._id
  const user = (await client.of(users).create({ name: 'Sipho' }))._id
  const plan = await client.of(lockdownPlans).create({ name: 'Red card', places: [{ kind: 'Door', id: door }] })
  await database.asSystem((tx) =>
    tx.run(sql`insert into lockdown_card (lockdown_card_event, lockdown_card_plan, lockdown_card_user, lockdown_card_user_name)
      select event, ${plan._id}, ${user}, 'Sipho' from unnest(${[uuidv7(), uuidv7()]}::uuid[]) as named (event)`),
  )
  await expect.poll(async () => (await client.of(doors).get(door)).mode).toBe('lockdown')
  const waiting = () =>
    database.asSystem((tx) =>
      tx.first(z.object({ count: z.int() }), sql`select count(*)::int as count from lockdown_card`),
    )
  await expect.poll(waiting).toEqual({ count: 0 })
  const { items } = await client.of(lockdowns).list({})
  expect(items).toMatchObject([{ plan: plan._id, startedBy: user, startedByName: 'Sipho', endedAt: null }])
  const log = await server.ask('GET', `/api/auditLogs?filter=${JSON.stringify({ item: items[0]?._id })}`)
  expect(log.items).toMatchObject([{ action: 'create', actor: user }])
})

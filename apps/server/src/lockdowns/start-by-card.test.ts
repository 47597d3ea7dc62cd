import { doors } from '@portcullis/contract/collections/doors'
import { events } from '@portcullis/contract/collections/events'
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

async function planOfGate(name: string) {
  const { client } = server
  const site = (await client.of(sites).create({ name: 'Harbour', timeZone: 'UTC' }))._id
  const unit = (await client.of(units).create({ name: 'Gatehouse', serial: name.replace(' ', '-'), site }))._id
  const door = (await client.of(doors).create({ name: 'Gate', site, unit, unitDoor: 1 }))._id
  const user = (await client.of(users).create({ name: 'Sipho' }))._id
  const plan = await client.of(lockdownPlans).create({ name, places: [{ kind: 'Door', id: door }] })
  return { door, user, plan: plan._id }
}

function present({ plan, user }: { plan: string; user: string }, storedAt = new Date()) {
  return server.database.asSystem((tx) =>
    tx.run(sql`insert into lockdown_card (lockdown_card_event, lockdown_card_plan, lockdown_card_user,
        lockdown_card_user_name, lockdown_card_stored_at)
      values (${uuidv7()}, ${plan}, ${user}, 'Sipho', ${storedAt})`),
  )
}

const waiting = () =>
  server.database.asSystem((tx) =>
    tx.first(z.object({ count: z.int() }), sql`select count(*)::int as count from lockdown_card`),
  )

test('§6 lockdown: a card starts the lockdown of its plan, and the audit log names the user', async () => {
  const { door, user, plan } = await planOfGate('Red card')
  await present({ plan, user })
  await expect.poll(async () => (await server.client.of(doors).get(door)).mode).toBe('lockdown')
  await expect.poll(waiting).toEqual({ count: 0 })
  const { items } = await server.client.of(lockdowns).list({ filter: { plan } })
  expect(items).toMatchObject([{ plan, startedBy: user, startedByName: 'Sipho', endedAt: null }])
  const log = await server.ask('GET', `/api/auditLogs?filter=${JSON.stringify({ item: items[0]?._id })}`)
  expect(log.items).toMatchObject([{ action: 'create', actor: user }])
  const started = await server.client.of(events).list({ filter: { type: 'administration.lockdown_started' } })
  const note = { code: 'lockdown', plan: 'Red card', doors: 1, by: 'card' }
  expect(started.items).toMatchObject([{ user, data: { names: { user: 'Sipho' }, note } }])
})

test('a card from before the end of a lockdown does not start it again', async () => {
  const { door, user, plan } = await planOfGate('Old card')
  const before = new Date()
  const { _id } = await server.client.startLockdown(plan)
  await server.client.endLockdown(_id)
  await present({ plan, user }, before)
  await expect.poll(waiting).toEqual({ count: 0 })
  expect((await server.client.of(doors).get(door)).mode).toBe('normal')
})

test('a card whose start is refused is not tried again, and delays no other plan', async () => {
  const { user, plan } = await planOfGate('Good card')
  const empty = await server.client.of(lockdownPlans).create({ name: 'Empty', places: [] })
  await present({ plan: empty._id, user })
  await present({ plan, user })
  await expect.poll(waiting).toEqual({ count: 0 })
  expect((await server.client.of(lockdowns).list({ filter: { plan } })).items).toHaveLength(1)
})

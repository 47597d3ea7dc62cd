import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { doorInterlocks } from '@portcullis/contract/calls/door-interlocks'
import { makeItem } from './collections/test-items.ts'
import { inSync, startUnit, wiredDoor } from './tasks/test-door.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask, database, client } = server
const patience = { timeout: 60_000 }
const hold = () => ({ mode: 'unlocked' as const, until: new Date(Date.now() + 3_600_000).toISOString() })

test('a door held unlocked counts as open for the others of its controller, and no longer after the hold', async () => {
  const outer = await wiredDoor(ask)
  const inner = await makeItem({ ask, collection: 'doors', fields: { unit: outer.unit, unitDoor: 2 } })
  await makeItem({ ask, collection: 'interlockingGroups', fields: { doors: [outer.door, inner._id] } })
  const controller = await startUnit(server, outer)
  await inSync({ ask, database }, outer.unit)
  // Opened and closed once: from then on the contacts of both are known.
  for (const door of [1, 2]) {
    controller.operateDoor({ door, what: 'forced' })
    controller.operateDoor({ door, what: 'closed' })
  }
  const seenFrom = async (door: string) => {
    const { interlocks } = await client.doorInterlocks(door)
    return interlocks[0]?.doors.find(({ _id }) => _id !== door)?.state
  }
  await expect.poll(() => seenFrom(inner._id), patience).toBe('closed')
  await client.setDoorMode(outer.door, hold())
  await expect.poll(() => seenFrom(inner._id), patience).toBe('open')
  expect(await seenFrom(outer.door)).toBe('closed')
  expect(controller.state().running?.doors.map(({ lock }) => lock)).toEqual(['unlocked', 'locked'])
  // While another door is open, the held one is locked.
  controller.operateDoor({ door: 2, what: 'forced' })
  await expect.poll(() => seenFrom(inner._id), patience).toBe('closed')
  controller.operateDoor({ door: 2, what: 'closed' })
  await expect.poll(() => seenFrom(inner._id), patience).toBe('open')
  await client.setDoorMode(outer.door, { mode: 'normal' })
  await expect.poll(() => seenFrom(inner._id), patience).toBe('closed')
})

test('an interlock shows its doors in accounts below, and claims nothing of doors that the user does not see', async () => {
  const ref = `below-${randomUUID().slice(0, 8)}`
  await makeItem({ ask, collection: 'accounts', fields: { ref } })
  const [above, below] = [await wiredDoor(ask), await wiredDoor(server.in(ref))]
  const group = await makeItem({
    ask,
    collection: 'interlockingGroups',
    fields: { doors: [above.door, below.door] },
  })
  const { interlocks } = await client.doorInterlocks(above.door)
  expect(interlocks).toMatchObject([{ _id: group._id, isShared: true }])
  const ids = interlocks.flatMap(({ doors }) => doors.map(({ _id }) => _id))
  expect(new Set(ids)).toEqual(new Set([above.door, below.door]))

  await database.asSystem(async (tx) => {
    const units = [above.unit, below.unit]
    await tx.run(sql`update unit_state set unit_state_status = 'online' where unit_state_id = any(${units}::uuid[])`)
    await tx.run(sql`update door set door_mode = 'unlocked' where door_id = ${below.door}`)
    await tx.run(sql`update door_state set door_state_state = 'open' where door_state_id = ${above.door}`)
  })
  // Neither the interlock nor its other door is seen from the account below.
  const seesBelow = await server.signInAs({ role: 'admin', account: ref })
  expect(await seesBelow.client.doorInterlocks(below.door)).toEqual({ lock: 'unknown', interlocks: [] })
  await database.asSystem((tx) =>
    tx.run(sql`insert into interlock_state (interlock_state_door, interlock_state_unit, interlock_state_is_secure)
      values (${below.door}, ${below.unit}, true)`),
  )
  expect(await seesBelow.client.doorInterlocks(below.door)).toEqual({ lock: 'locked', interlocks: [] })
  const answer = await seesBelow.ask('GET', `/api/doors/${above.door}/interlocks`)
  expect(answer.status).toBe(404)
})

test('the lock of a held door without others in an interlock is released', async () => {
  const { door } = await wiredDoor(ask)
  expect(await client.doorInterlocks(door)).toEqual({ lock: 'unknown', interlocks: [] })
  await database.asSystem((tx) => tx.run(sql`update door set door_mode = 'unlocked' where door_id = ${door}`))
  expect(await client.doorInterlocks(door)).toEqual({ lock: 'unlocked', interlocks: [] })
  await makeItem({ ask, collection: 'interlockingGroups', fields: { doors: [door] } })
  expect(await client.doorInterlocks(door)).toMatchObject({ lock: 'unlocked', interlocks: [{ isShared: false }] })
})

test('users who may not see controllers see no fault of one', async () => {
  const [outer, inner] = [await wiredDoor(ask), await wiredDoor(ask)]
  await makeItem({ ask, collection: 'interlockingGroups', fields: { doors: [outer.door, inner.door] } })
  const faultsFor = async (user: typeof ask) => {
    const { json } = await user('GET', `/api/doors/${outer.door}/interlocks`)
    const { interlocks } = doorInterlocks.output.parse(json)
    return interlocks.flatMap(({ doors }) => doors.map(({ state, fault }) => `${state}: ${fault}`))
  }
  expect(await faultsFor(ask)).toEqual(Array(2).fill('unknown: offline'))
  const guard = await server.signInAs({ role: 'reportingUser' })
  expect(await faultsFor(guard.ask)).toEqual(Array(2).fill('unknown: null'))
})

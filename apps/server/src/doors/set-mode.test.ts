import { historyHeader } from '@portcullis/contract/calls/audit-logs'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockTree, treeLocks } from '../history/lock-tree.ts'
import { startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
let door: string
let unwired: string
beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  const site = await client.of(sites).create({ name: 'Harbour', timeZone: 'Africa/Johannesburg' })
  const unit = (await client.of(units).create({ name: 'Gatehouse', serial: 'PC-1', site: site._id }))._id
  door = (await client.of(doors).create({ name: 'Main gate', site: site._id, unit, unitDoor: 1 }))._id
  unwired = (await client.of(doors).create({ name: 'Back gate', site: site._id }))._id
})
afterAll(() => server.stop())

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

test('§2 door commands: hold, block, lock down and return need Access Control, and the audit log names the user', async () => {
  const statuses: Record<string, number> = {}
  for (const role of ['admin', 'accessManager', 'installer', 'reportingUser', 'appUser'] as const) {
    const user = await server.signInAs({ role })
    statuses[role] = (await user.ask('PUT', `/api/doors/${door}/mode`, { body: { mode: 'blocked' } })).status
  }
  expect(statuses).toEqual({ admin: 200, accessManager: 200, installer: 403, reportingUser: 403, appUser: 403 })
  expect(await server.client.of(doors).get(door)).toMatchObject({
    mode: 'blocked',
    modeVersion: 2,
    appliedModeVersion: 0,
  })
})

test('§3 door modes: each has its own desired version, and Return to schedule removes the end', async () => {
  const until = inHours(2)
  const held = await server.client.setDoorMode(door, { mode: 'unlocked', until })
  expect(held).toMatchObject({ mode: 'unlocked', modeUntil: until })
  const back = await server.client.setDoorMode(door, { mode: 'normal' })
  expect(back).toMatchObject({ mode: 'normal', modeUntil: null, modeVersion: held.modeVersion + 1 })
})

test('§3 door modes: an end that has passed, is too far or is missing is a 400 that names it', async () => {
  for (const input of [
    { mode: 'unlocked' },
    { mode: 'unlocked', until: inHours(-1) },
    { mode: 'unlocked', until: inHours(25) },
    { mode: 'unlocked', until: 'tomorrow' },
    { mode: 'blocked', until: inHours(-1) },
  ]) {
    const answer = await server.ask('PUT', `/api/doors/${door}/mode`, { body: input })
    expect(answer).toMatchObject({ status: 400, error: { code: 'bad_request' } })
    expect(Object.keys(answer.error?.fields ?? {})).toEqual(['until'])
  }
  expect(await server.ask('PUT', `/api/doors/${door}/mode`, { body: { mode: 'ajar' } })).toMatchObject({ status: 400 })
})

test('a door without a controller keeps no mode, and an absent door is not found', async () => {
  expect(await server.ask('PUT', `/api/doors/${unwired}/mode`, { body: { mode: 'lockdown' } })).toMatchObject({
    status: 422,
    error: { message: 'This door is not wired to a controller. Select its controller and number first.' },
  })
  expect(await server.ask('PUT', `/api/doors/${uuidv7()}/mode`, { body: { mode: 'lockdown' } })).toMatchObject({
    status: 404,
  })
})

test('a hold that waits while its door loses its room is refused', async () => {
  const [isLocked, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const root = await server.keyOf(server.account)
  const { unit } = await server.client.of(doors).get(door)
  const leavingOut = server.database.asSystem(async (tx) => {
    lockTree(tx, { root, turn: 'alone' })
    await tx.run(sql`select`)
    isLocked.resolve()
    await isOver.promise
    await tx.run(
      sql`update unit_state set unit_state_left_out = ${JSON.stringify({ doors: [door] })}::jsonb where unit_state_id = ${unit}`,
    )
  })
  await isLocked.promise
  const holding = server.ask('PUT', `/api/doors/${door}/mode`, { body: { mode: 'unlocked', until: inHours(1) } })
  const waiting = sql`select from pg_locks where locktype = 'advisory' and classid = ${treeLocks} and objid = ${root} and not granted`
  await expect.poll(() => server.database.asSystem((tx) => tx.run(waiting))).toBe(1)
  isOver.resolve()
  await leavingOut
  expect(await holding).toMatchObject({ status: 422, error: { code: 'door_left_out' } })
  await server.database.asSystem((tx) => tx.run(sql`update unit_state set unit_state_left_out = null`))
})

test('the mode of a door that takes the port of another one has a higher version', async () => {
  const all = server.client.of(doors)
  const { unit, site } = await all.get(door)
  const wired = { site, unit }
  const first = await all.create({ name: 'First', ...wired, unitDoor: 8 })
  const { modeVersion } = await server.client.setDoorMode(first._id, { mode: 'lockdown' })
  await all.remove(first._id)
  const second = await all.create({ name: 'Second', ...wired, unitDoor: 8 })
  expect(second).toMatchObject({ mode: 'normal', modeVersion: modeVersion + 2, appliedModeVersion: 0 })
  const third = await all.create({ name: 'Third', ...wired, unitDoor: 9 })
  expect(third).toMatchObject({ modeVersion: 0 })
  await all.patch(second._id, { unitDoor: null })
  expect(await all.patch(third._id, { unitDoor: 8 })).toMatchObject({ modeVersion: modeVersion + 4 })
  expect(await all.patch(second._id, { unitDoor: 9 })).toMatchObject({ modeVersion: modeVersion + 3 })
})

describe('a door with a mode is rewired, deleted and restored only by users who may set modes', () => {
  test.each([
    { mode: 'lockdown' as const, port: 21 },
    { mode: 'unlocked' as const, port: 22, until: new Date(Date.now() + 3_600_000).toISOString() },
  ])('mode $mode', async ({ port, ...desired }) => {
    const { ask } = await server.signInAs({ role: 'installer' })
    const { site, unit } = await server.client.of(doors).get(door)
    const path = `/api/doors/${(await server.client.of(doors).create({ name: 'Gate', site, unit, unitDoor: port }))._id}`
    expect((await ask('PATCH', path, { body: { unitDoor: port + 1 } })).status).toBe(200)
    await server.ask('PUT', `${path}/mode`, { body: desired })
    for (const body of [{ unitDoor: 31 }, { unitDoor: null }, { unit: null, unitDoor: null }]) {
      expect((await ask('PATCH', path, { body })).error.code).toBe('door_has_mode')
    }
    expect((await ask('DELETE', path)).error.code).toBe('door_has_mode')
    expect((await ask('PATCH', path, { body: { name: 'Side gate', unitDoor: port + 1 } })).status).toBe(200)
    const removed = await server.ask('DELETE', path)
    const undo = `/api/auditLogs/${removed.headers.get(historyHeader)}/undo`
    expect((await server.ask('POST', undo)).status).toBe(200)
    await server.ask('PUT', `${path}/mode`, { body: { mode: 'normal' } })
    expect((await ask('PATCH', path, { body: { unitDoor: port } })).status).toBe(200)
  })
})

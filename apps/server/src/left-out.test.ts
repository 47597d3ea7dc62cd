import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decideAccess, doorAccess, userAccess } from '@portcullis/contract/calls/explorer'
import { leftOut, userLeftOut } from '@portcullis/contract/calls/left-out'
import { doors } from '@portcullis/contract/collections/doors'
import { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import sql from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeItem } from './collections/test-items.ts'
import { lockTree, treeLocks } from './history/lock-tree.ts'
import { inSync, startUnit, wiredDoor } from './tasks/test-door.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000 })

/** A user with a card. */
async function cardholder() {
  const user = await makeItem({ ask, collection: 'users' })
  const number = `F-${user._id}`
  const card = await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', number, user: user._id } })
  return {
    user: user._id,
    name: String(user['name']),
    credential: card._id,
    card: { door: 1, kind: 'card', number, direction: 'entry' } as const,
  }
}

/** A unit with this capacity and one door, which the users of one rule may open. */
async function fullUnit(credentials: number, users: readonly { user: string }[]) {
  const wired = await wiredDoor(ask)
  const who = users.map(({ user }) => ({ kind: 'User', id: user }))
  await makeItem({ ask, collection: 'rules', fields: { who, where: [{ kind: 'Door', id: wired.door }] } })
  const dir = await mkdtemp(join(tmpdir(), 'portcullis-full-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const controller = await startUnit(server, { ...wired, dir, faults: { maxCredentials: credentials } })
  return { ...wired, dir, controller, inSync: () => inSync(server, wired.unit) }
}

async function listOf(unit: string) {
  return leftOut.output.parse((await ask('GET', `/api/units/${unit}/leftOut`)).json)
}

test('a unit without room for all cards gets those created first, and its denials name the others', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const { unit, door, controller, inSync: applied } = await fullUnit(1, [ann, ben])
  const state = await soon(async () => {
    const current = await applied()
    // The first configuration is made for the capacity of the first hello.
    expect(current).toMatchObject({ desiredVersion: 1, rejection: null })
    expect(current.capacityExceededSince).not.toBeNull()
    return current
  })
  expect(state.configSize).toEqual({ doors: 1, credentials: 2, schedules: 0 })
  expect(await controller.present(ann.card)).toMatchObject({ verdict: 'grant' })
  expect(await controller.present(ben.card)).toEqual({ verdict: 'deny', reason: 'credential_unknown' })
  expect(await listOf(unit)).toMatchObject({
    credentials: 1,
    cardholders: { total: 1, items: [{ _id: ben.user, name: ben.name }] },
    incomplete: [{ _id: door, cardholders: 1 }],
    doors: [],
    schedules: [],
  })
  await soon(async () => {
    const { items } = await ask('GET', `/api/events?filter=${JSON.stringify({ door, type: 'access.denied' })}`)
    expect(items).toMatchObject([
      {
        reason: 'credential_unknown',
        user: ben.user,
        data: { note: { code: 'left_out' } },
        reasons: [
          { step: 'door', outcome: 'passed' },
          { step: 'mode', outcome: 'passed' },
          { step: 'credential', outcome: 'refused', facts: { leftOut: true } },
          { step: 'holder', outcome: 'passed' },
          { step: 'deny_rule', outcome: 'passed' },
          { step: 'allow_rule', outcome: 'passed' },
          { step: 'state' },
          { step: 'pin' },
          { step: 'second_person' },
          { step: 'approval' },
        ],
      },
    ])
  })
})

test('the explorer says for whom a controller has no room, and what would help', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const { unit, door, inSync: applied } = await fullUnit(1, [ann, ben])
  await applied()
  const decided = async (user: string) =>
    decideAccess.output.parse((await ask('POST', '/api/explorer/decide', { body: { door, user } })).json)
  expect(await decided(ann.user)).toMatchObject({ verdict: 'grant', reason: null })
  const answer = await decided(ben.user)
  expect(answer).toMatchObject({ verdict: 'deny', reason: 'credential_unknown', unit: { _id: unit } })
  expect(answer.findings.filter(({ change }) => change)).toMatchObject([
    { step: 'credential', facts: { leftOut: true }, change: { code: 'make_room_for_credential' } },
  ])
  expect(answer.days.flatMap(({ open }) => open)).toEqual([])

  const people = doorAccess.output.parse((await ask('GET', `/api/doors/${door}/access?can=all`)).json)
  expect(people.counts).toEqual({ now: 1, later: 0, never: 1, noRoom: 1 })
  const rowOf = (user: string) => people.items.find(({ _id }) => _id === user)
  expect([rowOf(ann.user), rowOf(ben.user)]).toMatchObject([
    { state: 'now', noRoom: false },
    { state: 'never', noRoom: true, reason: 'credential_unknown' },
  ])
  const places = userAccess.output.parse((await ask('GET', `/api/users/${ben.user}/access`)).json)
  expect(places).toMatchObject({ items: [], counts: { now: 0, never: 1, noRoom: 1 } })
})

test('a user shows the controllers with no room for their card, and at how many doors they have access there', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const { unit, inSync: applied } = await fullUnit(1, [ann, ben])
  await applied()
  const placesOf = async (user: string) =>
    userLeftOut.output.parse((await ask('GET', `/api/users/${user}/leftOut`)).json).units
  const { item } = await ask('GET', `/api/units/${unit}`)
  expect(await placesOf(ben.user)).toEqual([{ _id: unit, name: item['name'], doors: 1 }])
  expect(await placesOf(ann.user)).toEqual([])
  const spare = await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', user: ann.user } })
  expect(await placesOf(ann.user)).toMatchObject([{ _id: unit, doors: 1 }])
  await ask('PATCH', `/api/credentials/${spare._id}`, { body: { status: 'lost' } })
  expect(await placesOf(ann.user)).toEqual([])
})

test('a door for which its controller has no room is not unlocked', async () => {
  const wired = await wiredDoor(ask)
  const second = await makeItem({ ask, collection: 'doors', fields: { unit: wired.unit, unitDoor: 2 } })
  await startUnit(server, { ...wired, faults: { maxDoors: 1 } })
  await inSync(server, wired.unit)
  const setMode = (id: string, body: object) => ask('PUT', `/api/doors/${id}/mode`, { body })
  const held = { mode: 'unlocked', until: new Date(Date.now() + 3_600_000).toISOString() }
  const unlocking = [
    (id: string) => ask('POST', `/api/doors/${id}/unlockOnce`),
    (id: string) => setMode(id, held),
    (id: string) => ask('POST', '/api/tasks', { body: { type: 'RemoteAuthRequest', door: id } }),
  ]
  for (const unlock of unlocking) {
    expect(await unlock(second._id)).toMatchObject({ status: 422, error: { code: 'door_left_out' } })
    expect((await unlock(wired.door)).status).toBeLessThan(300)
  }
  for (const mode of ['blocked', 'lockdown', 'normal']) expect((await setMode(second._id, { mode })).status).toBe(200)
  const { _id: user } = await makeItem({ ask, collection: 'users' })
  const { json } = await ask('POST', '/api/explorer/decide', { body: { door: second._id, user } })
  expect(decideAccess.output.parse(json)).toMatchObject({ verdict: 'deny', reason: 'door_unknown' })
})

test('a door that loses its room while it is held unlocked returns to its schedule, and stays there', async () => {
  const wired = await wiredDoor(ask)
  const second = await makeItem({ ask, collection: 'doors', fields: { unit: wired.unit, unitDoor: 2 } })
  const controller = await startUnit(server, wired)
  await inSync(server, wired.unit)
  const body = { mode: 'unlocked', until: new Date(Date.now() + 3_600_000).toISOString() }
  for (const door of [wired.door, second._id]) await ask('PUT', `/api/doors/${door}/mode`, { body })
  const door = async (id: string) => doors.entitySchema.parse((await ask('GET', `/api/doors/${id}`)).item)
  const modes = () => Promise.all([wired.door, second._id].map(async (id) => (await door(id)).mode))
  const locks = () => controller.state().running?.doors.map(({ lock }) => lock)
  await soon(() => expect(locks()).toEqual(['unlocked', 'unlocked']))
  const held = await door(second._id)

  await controller.setFaults({ maxDoors: 1 })
  await soon(async () => expect(await modes()).toEqual(['unlocked', 'normal']))
  const ended = { mode: 'normal', modeUntil: null, modeVersion: held.modeVersion + 1, version: held.version + 1 }
  const { items } = await ask('GET', `/api/auditLogs?filter=${JSON.stringify({ item: second._id })}`)
  const before = { mode: 'unlocked', modeUntil: body.until, modeVersion: held.modeVersion, version: held.version }
  expect(items?.[0]).toMatchObject({ action: 'patch', actorName: null, reason: 'door_left_out', before, after: ended })

  await controller.setFaults({ maxDoors: 2 })
  await soon(async () =>
    expect(await door(second._id)).toMatchObject({ ...ended, appliedModeVersion: ended.modeVersion }),
  )
  await soon(() => expect(locks()).toEqual(['unlocked', 'locked']))
})

test('a hold that is being set while its door loses its room ends as well', async () => {
  const wired = await wiredDoor(ask)
  const { _id: door } = await makeItem({ ask, collection: 'doors', fields: { unit: wired.unit, unitDoor: 2 } })
  const controller = await startUnit(server, wired)
  await inSync(server, wired.unit)
  const root = await server.keyOf(server.account)
  await server.database.asSystem(async (tx) => {
    lockTree(tx, { root, turn: 'beside' })
    await tx.run(sql`update door set door_mode = 'unlocked', door_mode_until = now() + interval '1 hour',
      door_mode_version = 1 where door_id = ${door}`)
    await controller.setFaults({ maxDoors: 1 })
    const waiting = sql`select from pg_locks where locktype = 'advisory' and classid = ${treeLocks} and objid = ${root} and not granted`
    await soon(async () => expect(await tx.run(waiting)).toBe(1))
  })
  await soon(async () =>
    expect((await ask('GET', `/api/doors/${door}`)).item).toMatchObject({ mode: 'normal', modeVersion: 2 }),
  )
})

test('a door that the controller still knows is unlocked, but not held, until it has applied the version without it', async () => {
  const wired = await wiredDoor(ask)
  await ask('PATCH', `/api/doors/${wired.door}`, { body: { unitDoor: 2 } })
  const dir = await mkdtemp(join(tmpdir(), 'portcullis-full-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const faults = { maxDoors: 1 }
  const controller = await startUnit(server, { ...wired, dir, faults })
  await inSync(server, wired.unit)
  await controller.stop()
  await makeItem({ ask, collection: 'doors', fields: { unit: wired.unit, unitDoor: 1 } })
  const leavesOut = { doors: [{ _id: wired.door }] }
  await soon(async () => expect(await listOf(wired.unit)).toMatchObject({ ...leavesOut, isApplied: false }))
  const hold = () => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    return ask('PUT', `/api/doors/${wired.door}/mode`, { body: { mode: 'unlocked', until } })
  }
  const unlock = () => ask('POST', `/api/doors/${wired.door}/unlockOnce`)
  // Refused only because the controller is away.
  expect((await unlock()).json).toMatchObject({ status: 'not_delivered', detail: 'not_connected' })
  expect(await hold()).toMatchObject({ status: 422, error: { code: 'door_left_out' } })

  const url = `${server.url.replace('http', 'ws')}/units`
  const again = new VirtualUnit({ dir, serial: wired.serial, url, faults })
  onTestFinished(() => again.stop())
  await again.start()
  await inSync(server, wired.unit)
  expect(await listOf(wired.unit)).toMatchObject({ ...leavesOut, isApplied: true })
  expect(await unlock()).toMatchObject({ status: 422, error: { code: 'door_left_out' } })
})

test('a full unit still learns that access has ended, and gets the next card instead', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const { unit, controller } = await fullUnit(1, [ann, ben])
  await inSync(server, unit)
  const before = (await inSync(server, unit)).desiredVersion
  await ask('PATCH', `/api/credentials/${ann.credential}`, { body: { status: 'lost' } })
  await soon(async () => expect((await inSync(server, unit)).desiredVersion).not.toBe(before))
  expect(await controller.present(ann.card)).toEqual({ verdict: 'deny', reason: 'credential_unknown' })
  expect(await controller.present(ben.card)).toMatchObject({ verdict: 'grant' })
  expect(await listOf(unit)).toMatchObject({ credentials: 0, cardholders: { total: 0, items: [] } })
})

test('a unit that reports more room gets what was left out', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const full = await fullUnit(1, [ann, ben])
  await inSync(server, full.unit)
  await full.controller.stop()
  const url = `${server.url.replace('http', 'ws')}/units`

  const larger = new VirtualUnit({ dir: full.dir, serial: full.serial, url })
  onTestFinished(() => larger.stop())
  await larger.start()
  await soon(async () => expect(await larger.present(ben.card)).toMatchObject({ verdict: 'grant' }))
})

test('a card that does not fit is listed, although the configuration stays the same', async () => {
  const [ann, ben] = [await cardholder(), await cardholder()]
  const group = await makeItem({ ask, collection: 'userGroups', fields: { members: [ann.user] } })
  const wired = await wiredDoor(ask)
  const who = [{ kind: 'User Group', id: group._id }]
  await makeItem({ ask, collection: 'rules', fields: { who, where: [{ kind: 'Door', id: wired.door }] } })
  await startUnit(server, { ...wired, faults: { maxCredentials: 1 } })
  await inSync(server, wired.unit)
  const members = (users: string[]) => ask('PATCH', `/api/userGroups/${group._id}`, { body: { members: users } })
  await members([ann.user, ben.user])
  await soon(async () => expect(await listOf(wired.unit)).toMatchObject({ credentials: 1, cardholders: { total: 1 } }))
  const state = await inSync(server, wired.unit)
  expect(state.configSize?.credentials).toBe(2)
  expect(state.capacityExceededSince).not.toBeNull()
  await members([ann.user])
  await soon(async () => expect(await listOf(wired.unit)).toMatchObject({ credentials: 0, cardholders: { total: 0 } }))
})

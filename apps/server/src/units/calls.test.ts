import { randomBytes } from 'node:crypto'
import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { unitRecord } from '@portcullis/contract/unit-protocol/records'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandPeople, noteResult } from '../commands/command-status.ts'
import { expireCommands, takeCommands } from '../commands/commands.ts'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
let unit: string
let door: string
let unwired: string
beforeAll(async () => {
  server = await startTestServer()
  const { client } = server
  const site = await client.of(sites).create({ name: 'Harbour', timeZone: 'Africa/Johannesburg' })
  unit = (await client.of(units).create({ name: 'Gatehouse', serial: 'PC-1', site: site._id }))._id
  door = (await client.of(doors).create({ name: 'Main gate', site: site._id, unit, unitDoor: 1 }))._id
  await connect(unit)
  unwired = (await client.of(doors).create({ name: 'Back gate', site: site._id }))._id
})
afterAll(() => server.stop())

test('§3 Controllers: an installer gets a code for a unit, others do not', async () => {
  const installer = await server.signInAs({ role: 'installer' })
  const answer = await installer.client.enrolUnit(unit)
  expect(answer.code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/)
  expect(Date.parse(answer.expiresAt)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  for (const role of ['accessManager', 'reportingUser', 'appUser'] as const) {
    const user = await server.signInAs({ role })
    expect(await user.ask('POST', `/api/units/${unit}/enrolment`)).toMatchObject({ status: 403 })
  }
})

test('the audit log has who created a code for which controller and how long it is valid, but not the code', async () => {
  const { _id } = await makeItem({ ask: server.ask, collection: 'units' })
  const installer = await server.signInAs({ role: 'installer' })
  const first = await installer.client.enrolUnit(_id)
  const second = await installer.client.enrolUnit(_id)
  const { items } = await server.client.of(auditLogs).list({ filter: { item: _id }, size: 2 })
  const by = { action: 'patch', collection: 'units', item: _id, actor: installer.userId }
  expect(items).toMatchObject([
    { ...by, before: { enrolmentCodeUntil: first.expiresAt }, after: { enrolmentCodeUntil: second.expiresAt } },
    { ...by, before: { enrolmentCodeUntil: null }, after: { enrolmentCodeUntil: first.expiresAt } },
  ])
  expect(JSON.stringify(items)).not.toContain(second.code)
  const undone = await server.ask('POST', `/api/auditLogs/${items[0]?._id}/undo`)
  expect(undone.error.code).toBe('not_restorable')
})

test('an installer revokes a controller, which is then not enrolled; others do not', async () => {
  const { _id } = await makeItem({ ask: server.ask, collection: 'units' })
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into unit_secret (unit_secret_unit, unit_secret_public_key, unit_secret_secret)
      values (${_id}, ${randomBytes(32)}, ${randomBytes(32)})`)
    await tx.run(sql`update unit set unit_enrolled_at = now() where unit_id = ${_id}`)
  })
  for (const role of ['accessManager', 'reportingUser', 'appUser'] as const) {
    const user = await server.signInAs({ role })
    expect(await user.ask('POST', `/api/units/${_id}/revoke`)).toMatchObject({ status: 403 })
  }
  const installer = await server.signInAs({ role: 'installer' })
  expect(await installer.client.revokeUnit(_id)).toMatchObject({ _id, enrolledAt: null, desiredVersion: null })
  const keys = sql`select from unit_secret where unit_secret_unit = ${_id}`
  expect(await server.database.asSystem((tx) => tx.run(keys))).toBe(0)
  const { items } = await server.client.of(auditLogs).list({ filter: { item: _id }, size: 1 })
  expect(items).toMatchObject([{ action: 'patch', after: { enrolledAt: null } }])
})

test('Unlock once needs the permission to manage remote access or controllers', async () => {
  const statuses: Record<string, number> = {}
  for (const role of ['admin', 'installer', 'accessManager', 'accountManager', 'reportingUser', 'appUser'] as const) {
    const user = await server.signInAs({ role })
    statuses[role] = (await user.ask('POST', `/api/doors/${door}/unlockOnce`)).status
  }
  expect(statuses).toEqual({
    admin: 200,
    installer: 200,
    accessManager: 200,
    accountManager: 403,
    reportingUser: 403,
    appUser: 403,
  })
})

test('a command shows its state: requested at first', async () => {
  const command = await server.client.unlockOnce(door)
  expect(command).toMatchObject({ door, action: 'unlockOnce', status: 'requested', sentAt: null, endedAt: null })
  expect(Date.parse(command.expiresAt) - Date.parse(command.requestedAt)).toBe(10_000)
  expect(await server.client.doorCommand(command._id)).toEqual(command)
})

test.each(['offline', 'never_seen'])('an unlock fails at once if its controller is %s', async (status) => {
  const wired = await wiredDoor()
  const state = sql`update unit_state set unit_state_status = ${status} where unit_state_id = ${wired.unit}`
  await server.database.asSystem((tx) => tx.run(state))
  const command = await server.client.unlockOnce(wired.door)
  expect(command).toMatchObject({ status: 'not_delivered', detail: 'not_connected', endedAt: command.requestedAt })
  expect(await unlocksOf(wired.door)).toMatchObject([{ after: { command: command._id, outcome: 'not_delivered' } }])
})

test('an unlock that was never delivered is in the audit log, with its user, and cannot be undone', async () => {
  const manager = await server.signInAs({ role: 'accessManager' })
  const { _id } = await manager.client.unlockOnce(door)
  await server.database.asSystem((tx) =>
    tx.run(sql`update unit_command set unit_command_expires_at = now() where unit_command_id = ${_id}`),
  )
  await expireCommands(server.database)
  const items = await unlocksOf(door, { size: 2 })
  const common = { collection: 'doors', actor: manager.userId, actorName: 'A accessManager' }
  expect(items).toMatchObject([
    { ...common, after: { command: _id, outcome: 'not_delivered', detail: 'not_connected', sentAt: null } },
    { ...common, after: { command: _id, outcome: 'requested', detail: null, sentAt: null, endedAt: null } },
  ])
  const undo = await server.ask('POST', `/api/auditLogs/${items[0]?._id}/undo`)
  expect([undo.status, undo.error.code]).toEqual([422, 'nothing_to_undo'])
  const asOf = await server.ask('GET', `/api/auditLogs/asOf/doors/${door}?at=${new Date().toISOString()}`)
  expect(asOf.json).toMatchObject({ item: { name: 'Main gate' } })
})

test('an unlock stays in the audit log with its user and outcome when its door is deleted', async () => {
  const manager = await server.signInAs({ role: 'accessManager' })
  const [waiting, sent] = [await wiredDoor(), await wiredDoor()]
  const never = await manager.client.unlockOnce(waiting.door)
  const late = await manager.client.unlockOnce(sent.door)
  expect(await takeCommands(server.database, sent.unit)).toMatchObject([{ id: late._id }])
  for (const each of [waiting, sent]) {
    expect((await server.ask('DELETE', `/api/doors/${each.door}`)).status).toBe(204)
  }

  expect(await takeCommands(server.database, waiting.unit)).toEqual([])
  await expireCommands(server.database)
  const common = { actor: manager.userId, actorName: 'A accessManager' }
  expect(await unlocksOf(waiting.door)).toMatchObject([
    { ...common, after: { command: never._id, outcome: 'not_delivered', detail: 'door_deleted' } },
    { ...common, after: { command: never._id, outcome: 'requested' } },
  ])

  await server.database.asSystem((tx) =>
    noteResult(tx, sent.unit, { type: 'commandResult', id: late._id, outcome: 'done' }),
  )
  expect(await unlocksOf(sent.door)).toMatchObject([
    { ...common, after: { command: late._id, outcome: 'confirmed' } },
    { ...common, after: { command: late._id, outcome: 'requested' } },
  ])
  const body = {
    type: 'door',
    door: 1,
    at: late.requestedAt,
    what: 'unlocked_once',
    configVersion: 1,
    command: late._id,
  }
  const records = [{ record: unitRecord.parse(body) }]
  const users = await server.database.asSystem((tx) => commandPeople(tx, { unit: sent.unit, records }))
  expect(users.get(late._id)).toBe(manager.userId)
})

test('a result that a controller repeats is one audit log entry, without the controller’s own words', async () => {
  const wired = await wiredDoor()
  const { _id } = await server.client.unlockOnce(wired.door)
  await takeCommands(server.database, wired.unit)
  const report = (outcome: 'done' | 'expired', detail: string) =>
    server.database.asSystem((tx) => noteResult(tx, wired.unit, { type: 'commandResult', id: _id, outcome, detail }))
  for (let times = 0; times < 20; times++) await report('expired', `My own words ${times}`)
  for (let times = 0; times < 20; times++) await report('done', 'door_unknown')
  await report('expired', 'once more')
  expect(await unlocksOf(wired.door)).toMatchObject([
    { after: { outcome: 'confirmed', detail: 'door_unknown' } },
    { after: { outcome: 'expired', detail: null } },
    { after: { outcome: 'requested' } },
  ])
})

async function wiredDoor() {
  const made = (await makeItem({ ask: server.ask, collection: 'units' }))._id
  const wired = await makeItem({ ask: server.ask, collection: 'doors', fields: { unit: made, unitDoor: 1 } })
  await connect(made)
  return { door: wired._id, unit: made }
}

/** Lets a controller count as connected. */
function connect(id: string) {
  return server.database.asSystem((tx) =>
    tx.run(sql`update unit_state set unit_state_status = 'online' where unit_state_id = ${id}`),
  )
}

async function unlocksOf(item: string, { size = 50 } = {}) {
  return (await server.client.of(auditLogs).list({ filter: { item, action: 'unlock' }, size })).items
}

test('a door without a controller cannot be unlocked, and the error says why', async () => {
  expect(await server.ask('POST', `/api/doors/${unwired}/unlockOnce`)).toMatchObject({
    status: 422,
    error: {
      code: 'door_unwired',
      message: 'This door is not wired to a controller. Select its controller and number first.',
    },
  })
})

test('a controller that is absent or in another account is not found', async () => {
  for (const path of [
    `/api/units/${uuidv7()}/enrolment`,
    `/api/units/${uuidv7()}/revoke`,
    `/api/doors/${uuidv7()}/unlockOnce`,
    '/api/doors/x/unlockOnce',
  ]) {
    expect(await server.ask('POST', path)).toMatchObject({ status: 404, error: { code: 'not_found' } })
  }
  expect(await server.ask('GET', `/api/doors/commands/${uuidv7()}`)).toMatchObject({ status: 404 })
})

describe('§1 one visible set: an account below', () => {
  let below: { unit: string; door: string }
  beforeAll(async () => {
    await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch' } })
    const ask = server.in('branch')
    const made = (await makeItem({ ask, collection: 'units' }))._id
    const wired = await makeItem({ ask, collection: 'doors', fields: { unit: made, unitDoor: 1 } })
    below = { unit: made, door: wired._id }
  })

  test('has its units enrolled and its doors unlocked from within, as it is changed from within', async () => {
    for (const all of ['false', 'true']) {
      const headers = { 'x-js-all-accounts': all }
      for (const path of [`/api/units/${below.unit}/enrolment`, `/api/doors/${below.door}/unlockOnce`]) {
        expect(await server.ask('POST', path, { headers })).toMatchObject({ status: 404 })
        expect(await server.in('branch')('POST', path, { headers })).toMatchObject({ status: 200 })
      }
    }
  })

  test('shows the outcome of its commands there, and from above for all accounts', async () => {
    const { item } = await server.in('branch')('POST', `/api/doors/${below.door}/unlockOnce`)
    const path = `/api/doors/commands/${item._id}`
    expect(await server.in('branch')('GET', path)).toMatchObject({ status: 200 })
    expect(await server.ask('GET', path)).toMatchObject({ status: 404 })
    expect(await server.ask('GET', path, { headers: { 'x-js-all-accounts': 'true' } })).toMatchObject({ status: 200 })
  })

  test('hides its commands from other users in every query', async () => {
    await server.in('branch')('POST', `/api/doors/${below.door}/unlockOnce`)
    const query = sql`select from unit_command where unit_command_door = ${below.door}`
    const seenIn = async (account: string) => {
      const key = await server.keyOf(account)
      return server.database.inAccounts([key], (tx) => tx.run(query))
    }
    expect(await seenIn('branch')).toBeGreaterThan(0)
    expect(await seenIn(server.account)).toBe(0)
  })
})

import { tasks } from '@portcullis/contract/collections/tasks'
import type { EntityOf } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { startUnit, wiredDoor } from './test-door.ts'

const server = await startTestServer()
afterAll(server.stop)
const patience = { timeout: 120_000 }

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'other' } })
const { door } = await wiredDoor(server.ask)
const guard = await server.signInAs({ role: 'accessManager' })

let ann: TestUser
beforeEach(async () => {
  ann = await server.signInAs({ role: 'appUser' })
})

test('§2 an app user requests a door of their account, for a minute by default', async () => {
  const answer = await ann.ask('POST', '/api/tasks', { body: { type: 'RemoteAuthRequest', door } })
  expect(answer.status).toBe(201)
  const task = tasks.entitySchema.strict().parse(answer.json)
  expect(task).toMatchObject({
    type: 'RemoteAuthRequest',
    status: 'Requested',
    user: ann.userId,
    userName: 'A appUser',
    door,
    data: { expiresAfterSeconds: 60, authAction: 'unlockOnce' },
    decidedBy: null,
    delivery: null,
  })
  expect(Date.parse(task.expiresAt) - Date.parse(task.createdAt)).toBe(60_000)
  const { door: another } = await wiredDoor(server.ask)
  const longer = await ann.client.remoteAccess.ask(another, { expiresAfterSeconds: 600 })
  expect(Date.parse(longer.expiresAt) - Date.parse(longer.createdAt)).toBe(600_000)
})

test.each([4, 601, 7.5, '60', null])(
  '§2 a request waits for 5 to 600 seconds, not for %j',
  async (expiresAfterSeconds) => {
    const body = { type: 'RemoteAuthRequest', door, data: { expiresAfterSeconds } }
    const answer = await ann.ask('POST', '/api/tasks', { body })
    expect(answer).toMatchObject({ status: 400, error: { code: 'bad_request' } })
    expect(Object.keys(answer.error.fields)).toEqual(['data.expiresAfterSeconds'])
  },
)

test('§2 unknown doors and those of other accounts are not found; unwired and disabled ones are refused', async () => {
  const elsewhere = await wiredDoor(server.in('other'))
  const unwired = await makeItem({ ask: server.ask, collection: 'doors' })
  const unused = await wiredDoor(server.ask, { enabled: false })
  const ask = async (id: string) =>
    (await ann.ask('POST', '/api/tasks', { body: { type: 'RemoteAuthRequest', door: id } })).status
  expect(await Promise.all([elsewhere.door, uuidv7(), unwired._id, unused.door].map(ask))).toEqual([404, 404, 422, 422])
})

test('§6 only managers of RemoteAuth decide, never about their own request, and only in its account', async () => {
  const { _id } = await ann.client.remoteAccess.ask(door)
  const path = `/api/tasks/${_id}/actionRemoteAuth`
  for (const role of ['accountManager', 'installer', 'reportingUser', 'appUser'] as const) {
    const { ask } = await server.signInAs({ role })
    expect(await ask('POST', path, { body: { grant: true } })).toMatchObject({ status: 403 })
  }
  expect(await server.in('other')('POST', path, { body: { grant: true } })).toMatchObject({ status: 404 })
  const own = await guard.client.remoteAccess.ask(door)
  expect(await guard.ask('POST', `/api/tasks/${own._id}/actionRemoteAuth`, { body: { grant: true } })).toMatchObject({
    status: 403,
    error: { code: 'own_request' },
  })
  expect(await statusOf(_id)).toBe('Requested')
  expect(await statusOf(own._id)).toBe('Requested')
})

test('§4 a decision is final: a later one gets its result', async () => {
  const { _id } = await ann.client.remoteAccess.ask(door)
  const denied = await guard.client.remoteAccess.deny(_id)
  expect(denied).toMatchObject({ status: 'Denied', decidedBy: guard.userId, delivery: null })
  const answer = await server.ask('POST', `/api/tasks/${_id}/actionRemoteAuth`, { body: { grant: true } })
  expect(answer).toMatchObject({
    status: 409,
    error: { code: 'request_decided', message: 'This request is already denied.' },
  })
  expect(answer.json).toMatchObject({ item: denied })
})

test.each(['yes', 1, undefined])('a decision says grant or deny, not %j', async (grant) => {
  const { _id } = await ann.client.remoteAccess.ask(door)
  const answer = await guard.ask('POST', `/api/tasks/${_id}/actionRemoteAuth`, { body: { grant } })
  expect(answer.status).toBe(400)
  expect(Object.keys(answer.error.fields)).toEqual(['grant'])
})

test.each([
  ['the door was locked down', (id: string) => mode(id, { mode: 'lockdown' }), 'door_locked_down'],
  ['the door was blocked', (id: string) => mode(id, { mode: 'blocked' }), 'door_blocked'],
  ['the door was disabled', (id: string) => change(id, { enabled: false }), 'door_disabled'],
  ['the door was rewired', (id: string) => change(id, { unitDoor: 7 }), 'door_rewired'],
  ['the controller had no room for the door', (id: string) => leaveOut(id), 'door_left_out'],
  ['the door was deleted', (id: string) => server.ask('DELETE', `/api/doors/${id}`), 'door_left_account'],
] as const)('§3 a grant is refused if %s meanwhile, and the request stays open', async (_, meanwhile, code) => {
  const own = await wiredDoor(server.ask)
  const { _id } = await ann.client.remoteAccess.ask(own.door)
  expect((await meanwhile(own.door)).status).toBeLessThan(300)
  const refused = await guard.ask('POST', `/api/tasks/${_id}/actionRemoteAuth`, { body: { grant: true } })
  expect(refused).toMatchObject({ status: 422, error: { code } })
  expect(await statusOf(_id)).toBe('Requested')
  expect(await guard.client.remoteAccess.deny(_id)).toMatchObject({ status: 'Denied' })
})

test('§3 a grant is refused if the requester was suspended meanwhile', async () => {
  const requester = await server.signInAs({ role: 'appUser' })
  const { _id } = await requester.client.remoteAccess.ask(door)
  await server.ask('PATCH', `/api/users/${requester.userId}`, { body: { status: 'suspended' } })
  const refused = await guard.ask('POST', `/api/tasks/${_id}/actionRemoteAuth`, { body: { grant: true } })
  expect(refused).toMatchObject({ status: 422, error: { code: 'requester_inactive' } })
})

test('§3 an operator who loses the right while the decision waits for its lock is refused', async () => {
  const operator = await server.signInAs({ role: 'accessManager' })
  const { _id } = await ann.client.remoteAccess.ask(door)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: holding } = Promise.withResolvers<void>()
  const holder = server.database.asSystem(async (tx) => {
    await tx.run(sql`select from task where task_id = ${_id} for update`)
    holding()
    await held
  })
  onTestFinished(() => release())
  await isHeld
  const answer = operator.ask('POST', `/api/tasks/${_id}/actionRemoteAuth`, { body: { grant: true } })
  await vi.waitFor(async () => expect(await waitingForLocks()).toBeGreaterThan(0), patience)
  await server.ask('PATCH', `/api/users/${operator.userId}`, { body: { role: 'reportingUser' } })
  release()
  await holder
  expect(await answer).toMatchObject({ status: 403 })
  expect(await statusOf(_id)).toBe('Requested')
})

test('§3 after a grant the door opens, and the request shows each step live', async () => {
  const own = await wiredDoor(server.ask)
  await startUnit(server, own)
  await expect.poll(() => appliedBy(own.unit), patience).toBe('in sync')
  const connection = await connectTestSocket({ url: server.url, headers: server.headers })
  onTestFinished(connection.close)
  expect(await connection.join(`task:${server.account}:*`)).toBe('ok')
  const { _id } = await ann.client.remoteAccess.ask(own.door)
  const granted = await guard.client.remoteAccess.grant(_id)
  expect(granted).toMatchObject({
    status: 'Granted',
    decidedByName: 'A accessManager',
    delivery: 'waiting',
    sentAt: null,
  })
  await expect.poll(async () => (await taskOf(_id)).delivery, patience).toBe('opened')
  const opened = await taskOf(_id)
  expect(Date.parse(opened.openedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(opened.sentAt ?? ''))
  await expect.poll(() => connection.received.findLast(({ body }) => body._id === _id)?.body, patience).toEqual(opened)
  await expect
    .poll(() => typesAt(own.door), patience)
    .toEqual(
      expect.arrayContaining(['access.remote_requested', 'access.remote_granted', 'door.unlocked_once', 'door.opened']),
    )
  expect((await entriesOf(_id)).map(({ action, after }) => [action, after?.['status']])).toEqual([
    ['create', 'Requested'],
    ['patch', 'Granted'],
  ])
})

test('§3 a grant that misses the controller is shown as not delivered, with the reason', async () => {
  const own = await wiredDoor(server.ask)
  const { _id } = await ann.client.remoteAccess.ask(own.door, { expiresAfterSeconds: 5 })
  await guard.client.remoteAccess.grant(_id)
  await expect.poll(async () => (await taskOf(_id)).delivery, patience).toBe('not_delivered')
  expect(await taskOf(_id)).toMatchObject({ status: 'Granted', deliveryDetail: 'not_connected' })
})

test('§3 the unlock expires with the request or 10 s after the decision, whichever is sooner', async () => {
  const { door: another } = await wiredDoor(server.ask)
  const [short, long] = [
    await ann.client.remoteAccess.ask(door, { expiresAfterSeconds: 8 }),
    await ann.client.remoteAccess.ask(another, { expiresAfterSeconds: 300 }),
  ]
  for (const { _id } of [short, long]) await guard.client.remoteAccess.grant(_id)
  const [ofShort, ofLong] = [await unlockOf(short._id), await unlockOf(long._id)]
  expect(ofShort.expiresAt).toBe(short.expiresAt)
  const decidedAt = Date.parse((await taskOf(long._id)).decidedAt ?? '')
  expect(Math.abs(Date.parse(ofLong.expiresAt) - decidedAt - 10_000)).toBeLessThan(5_000)
})

test('§3 the events of the account name the requester and the deciding user', async () => {
  const own = await wiredDoor(server.ask)
  const { _id } = await ann.client.remoteAccess.ask(own.door)
  await guard.client.remoteAccess.deny(_id)
  const { items } = await server.ask(
    'GET',
    `/api/events?${new URLSearchParams({ filter: JSON.stringify({ door: own.door }) }).toString()}`,
  )
  expect(items).toMatchObject([
    {
      type: 'access.remote_denied',
      category: 'access',
      user: ann.userId,
      data: { note: { code: 'decided_by', name: 'A accessManager' } },
    },
    { type: 'access.remote_requested', user: ann.userId, data: { names: { user: 'A appUser' } } },
  ])
})

function change(id: string, body: Record<string, unknown>) {
  return server.ask('PATCH', `/api/doors/${id}`, { body })
}

function mode(id: string, body: Record<string, unknown>) {
  return server.ask('PUT', `/api/doors/${id}/mode`, { body })
}

/** The controller of a door has applied a version without the door. */
async function leaveOut(id: string) {
  const leftOut = JSON.stringify({ doors: [id] })
  await server.database.asSystem((tx) =>
    tx.run(sql`update unit_state set unit_state_left_out = ${leftOut}::jsonb,
                  unit_state_desired_version = 1, unit_state_applied_version = 1
                where unit_state_id = (select door_unit from door where door_id = ${id})`),
  )
  return { status: 200 }
}

async function taskOf(id: string): Promise<EntityOf<typeof tasks>> {
  return tasks.entitySchema.parse((await server.ask('GET', `/api/tasks/${id}`)).json)
}

async function statusOf(id: string) {
  return (await taskOf(id)).status
}

async function unlockOf(task: string) {
  const row = z.object({ expiresAt: z.string() })
  const found = await server.database.asSystem((tx) =>
    tx.first(
      row,
      sql`select unit_command_expires_at as "expiresAt" from unit_command join task on task_command = unit_command_id
           where task_id = ${task}`,
    ),
  )
  return row.parse(found)
}

/** The number of locks that transactions are waiting for. */
function waitingForLocks() {
  return server.database.asSystem((tx) => tx.run(sql`select from pg_locks where not granted`))
}

async function appliedBy(unit: string) {
  const { item } = await server.ask('GET', `/api/units/${unit}`)
  return item['appliedVersion'] !== null && item['appliedVersion'] === item['desiredVersion'] ? 'in sync' : 'behind'
}

async function typesAt(id: string) {
  const query = new URLSearchParams({ filter: JSON.stringify({ door: id }), size: '100' })
  return (await server.ask('GET', `/api/events?${query.toString()}`)).items.map(({ type }) => type)
}

async function entriesOf(item: string) {
  const query = new URLSearchParams({
    filter: JSON.stringify({ item }),
    sort: JSON.stringify({ prop: 'at', dir: 'asc' }),
  })
  const entry = z.object({ action: z.string(), after: z.record(z.string(), z.unknown()).nullable() })
  return (await server.ask('GET', `/api/auditLogs?${query.toString()}`)).items.map((each) => entry.parse(each))
}

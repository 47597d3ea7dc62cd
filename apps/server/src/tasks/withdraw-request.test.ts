import { roles, isAllowed, rulesOfRole } from '@portcullis/contract/abilities'
import { requestLimits } from '@portcullis/contract/calls/remote-access'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { storeRequest } from './store-request.ts'
import { wiredDoor } from './test-door.ts'

const server = await startTestServer()
afterAll(server.stop)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'withdraw-below' } })
const { door } = await wiredDoor(server.ask)
const guard = await server.signInAs({ role: 'accessManager' })

let ann: TestUser
let request: string
beforeEach(async () => {
  ann = await server.signInAs({ role: 'appUser' })
  request = (await ann.client.remoteAccess.ask(door, { expiresAfterSeconds: 600 }))._id
})

test('§7 a user withdraws their open request: it leaves the list and the room, and the audit log has it', async () => {
  const connection = await connectTestSocket({ url: server.url, headers: server.headers })
  onTestFinished(connection.close)
  expect(await connection.join(`task:${server.account}:*`)).toBe('ok')
  const { item: open } = await server.ask('GET', `/api/tasks/${request}`)
  const answer = await withdraw(ann)
  expect(answer.status).toBe(204)
  expect((await server.ask('GET', `/api/tasks/${request}`)).status).toBe(404)
  // The room may still receive the request itself, which was made just before the join.
  await expect.poll(() => connection.of(request).at(-1)).toBe('task:remove')
  const entry = await server.ask('GET', `/api/auditLogs/${answer.headers.get('x-history-id')}`)
  const { actor, ...recorded } = entry.item
  expect(recorded).toMatchObject({ collection: 'tasks', item: request, action: 'delete', before: open, after: null })
  expect(actor).toBe(ann.userId)
})

test('§7 the audit log appears live after a withdrawal', async () => {
  const connection = await connectTestSocket({ url: server.url, headers: server.headers })
  onTestFinished(connection.close)
  expect(await connection.join(`auditLog:${server.account}:*`)).toBe('ok')
  const entry = (await withdraw(ann)).headers.get('x-history-id') ?? ''
  await expect.poll(() => connection.of(entry)).toEqual(['auditLog:save'])
})

test.each(roles)('§6 only users who may decide withdraw the request of another user: %s', async (role) => {
  const may = isAllowed(rulesOfRole(role), { action: 'manage', subject: 'RemoteAuth' })
  const other = await server.signInAs({ role })
  expect((await withdraw(other)).status).toBe(may ? 204 : 403)
  const missing = await other.ask('DELETE', `/api/tasks/${uuidv7()}`)
  expect(missing.status).toBe(may ? 404 : 403)
})

test('§7 a request is withdrawn only in its account, and once', async () => {
  expect((await server.in('withdraw-below')('DELETE', `/api/tasks/${request}`)).status).toBe(404)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => withdraw(index % 2 === 0 ? ann : guard)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  expect(new Set(statuses)).toEqual(new Set([204, 403, 404]))
})

test('§7 a decided request stays, and only users who may view requests get it with the refusal', async () => {
  const denied = await guard.client.remoteAccess.deny(request)
  const seen = await withdraw(guard)
  expect(seen).toMatchObject({ status: 409, error: { code: 'request_decided' } })
  expect(seen.json).toMatchObject({ item: denied })
  const unseen = await withdraw(ann)
  expect(unseen).toMatchObject({ status: 409, error: { message: 'This request is already denied.' } })
  expect(unseen.json).not.toHaveProperty('item')
})

test('§7 an expired request stays', async () => {
  await server.database.asSystem((tx) =>
    tx.run(sql`update task set task_expires_at = clock_timestamp() where task_id = ${request}`),
  )
  expect((await withdraw(ann)).status).toBe(409)
  await expect.poll(async () => (await server.ask('GET', `/api/tasks/${request}`)).item['status']).toBe('Expired')
  expect((await withdraw(ann)).status).toBe(409)
})

test('§7 a decision and a withdrawal at the same time: one of them counts', async () => {
  const path = `/api/tasks/${request}/actionRemoteAuth`
  const [withdrawn, decided] = await Promise.all([withdraw(ann), guard.ask('POST', path, { body: { grant: false } })])
  expect([
    [204, 404],
    [409, 200],
  ]).toContainEqual([withdrawn.status, decided.status])
})

test('§3 a request that a controller raised is not withdrawn: its controller waits for the decision', async () => {
  const account = await server.keyOf(server.account)
  const user = { _id: ann.userId, name: 'Ann' }
  const raised = { account, door, user, expiresAfterSeconds: 60, unitRequest: uuidv7() }
  const id = await server.database.asSystem((tx) => storeRequest(tx, raised))
  for (const { ask } of [ann, guard]) {
    const answer = await ask('DELETE', `/api/tasks/${id}`)
    expect(answer).toMatchObject({ status: 409, error: { code: 'request_at_reader' } })
  }
})

test('a withdrawn request makes room at its door, but counts for the limit', async () => {
  for (let made = 1; made < requestLimits.perUser; made += 1) {
    expect((await withdraw(ann)).status).toBe(204)
    request = (await ann.client.remoteAccess.ask(door, { expiresAfterSeconds: 600 }))._id
  }
  expect((await withdraw(ann)).status).toBe(204)
  const refused = await ann.ask('POST', '/api/tasks', { body: { type: 'RemoteAuthRequest', door } })
  expect(refused).toMatchObject({ status: 429, error: { code: 'too_many' } })
})

function withdraw({ ask }: TestUser) {
  return ask('DELETE', `/api/tasks/${request}`)
}

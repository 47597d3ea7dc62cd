import { isAllowed, roles, rulesOfRole } from '@portcullis/contract/abilities'
import { tasks } from '@portcullis/contract/collections/tasks'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { storeTask } from '../collections/test-tasks.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { wiredDoor } from './test-door.ts'

const server = await startTestServer()
afterAll(server.stop)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'note-below' } })
const { door } = await wiredDoor(server.ask)
const guard = await server.signInAs({ role: 'accessManager' })

let ann: TestUser
let request: string
beforeEach(async () => {
  ann = await server.signInAs({ role: 'appUser' })
  request = (await ann.client.remoteAccess.ask(door, { expiresAfterSeconds: 600 }))._id
})

test('§7 a note to a decision is added and changed; list, room and audit log show it', async () => {
  const denied = await guard.client.remoteAccess.deny(request)
  const connection = await connectTestSocket({ url: server.url, headers: server.headers })
  onTestFinished(connection.close)
  expect(await connection.join(`task:${server.account}:*`)).toBe('ok')
  const added = await note(guard, ' Not on the visitor list ')
  expect(added.status).toBe(200)
  expect(tasks.entitySchema.strict().parse(added.json)).toEqual({ ...denied, note: 'Not on the visitor list' })
  await expect.poll(() => connection.received.findLast(({ body }) => body._id === request)?.body).toEqual(added.json)
  const changed = await note(server, 'Came back with a badge')
  expect(changed.item['note']).toBe('Came back with a badge')
  expect((await server.ask('GET', `/api/tasks/${request}`)).json).toEqual(changed.json)
  const entry = await server.ask('GET', `/api/auditLogs/${changed.headers.get('x-history-id')}`)
  expect(entry.item).toMatchObject({
    collection: 'tasks',
    item: request,
    action: 'patch',
    before: { note: 'Not on the visitor list' },
    after: { note: 'Came back with a badge' },
    actor: server.userId,
  })
})

test('§7 a request is saved as it was read, with a note, but with no other change', async () => {
  const denied = await guard.client.remoteAccess.deny(request)
  const saved = await guard.ask('PATCH', `/api/tasks/${request}`, { body: { ...denied, note: 'Seen on camera' } })
  expect([saved.status, saved.item['note']]).toEqual([200, 'Seen on camera'])
  const body = { ...denied, status: 'Granted', note: 'Other' }
  const refused = await guard.ask('PATCH', `/api/tasks/${request}`, { body })
  expect(refused.status).toBe(400)
  expect(Object.keys(refused.error.fields ?? {})).toEqual(['status'])
})

test('the same note again is not recorded', async () => {
  await guard.client.remoteAccess.deny(request)
  expect((await note(guard, 'Seen on camera')).headers.get('x-history-id')).not.toBeNull()
  const again = await note(guard, 'Seen on camera')
  expect([again.status, again.headers.get('x-history-id')]).toEqual([200, null])
})

test('§7 a note does not replace one that another user has saved since it was read', async () => {
  await guard.client.remoteAccess.deny(request)
  const save = (noteAsRead: string | null) =>
    guard.ask('PATCH', `/api/tasks/${request}`, { body: { note: 'Seen on camera', noteAsRead } })
  const other = await note(server, 'Not on the visitor list')
  expect(await save(null)).toMatchObject({ status: 409, error: { code: 'conflict' }, json: { item: other.item } })
  expect((await server.ask('GET', `/api/tasks/${request}`)).item['note']).toBe('Not on the visitor list')
  expect((await save('Not on the visitor list')).item['note']).toBe('Seen on camera')
})

test('§7 only decided requests take a note', async () => {
  expect(await note(guard, 'Early')).toMatchObject({ status: 409, error: { code: 'request_undecided' } })
  const expired = await storeTask(server.database, {
    account: await server.keyOf(server.account),
    status: 'Expired',
  })
  const late = await guard.ask('PATCH', `/api/tasks/${expired}`, { body: { note: 'Late' } })
  expect(late).toMatchObject({ status: 409, error: { code: 'request_expired' } })
})

test.each(roles)('§6 only users who may decide add a note: %s', async (role) => {
  const may = isAllowed(rulesOfRole(role), { action: 'manage', subject: 'RemoteAuth' })
  await server.client.remoteAccess.deny(request)
  expect((await note(await server.signInAs({ role }), 'Seen on camera')).status).toBe(may ? 200 : 403)
  expect((await note(ann, 'Mine')).status).toBe(403)
})

test('§6 no user adds a note to the decision about their own request, or in another account', async () => {
  const { _id } = await guard.client.remoteAccess.ask(door, { expiresAfterSeconds: 600 })
  await server.client.remoteAccess.deny(_id)
  const own = await guard.ask('PATCH', `/api/tasks/${_id}`, { body: { note: 'Mine' } })
  expect(own).toMatchObject({ status: 403, error: { code: 'own_request' } })
  expect((await server.in('note-below')('PATCH', `/api/tasks/${_id}`, { body: { note: 'Far' } })).status).toBe(404)
})

test.each([
  ['nothing', {}, 'note'],
  ['an empty note', { note: '  ' }, 'note'],
  ['a long note', { note: 'x'.repeat(1_001) }, 'note'],
  ['a note that is no text', { note: null }, 'note'],
  ['another field', { note: 'Seen', status: 'Granted' }, 'status'],
] as const)('§7 a change of a request is a note alone, not %s', async (_, body, field) => {
  await guard.client.remoteAccess.deny(request)
  const answer = await guard.ask('PATCH', `/api/tasks/${request}`, { body })
  expect(answer.status).toBe(400)
  expect(Object.keys(answer.error.fields)).toEqual([field])
})

function note({ ask }: Pick<TestUser, 'ask'>, text: string) {
  return ask('PATCH', `/api/tasks/${request}`, { body: { note: text } })
}

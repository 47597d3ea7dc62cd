import { isAllowed, roles, rulesOfRole } from '@portcullis/contract/abilities'
import { tasks } from '@portcullis/contract/collections/tasks'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer } from '../test-server.ts'
import { storeTask } from '../collections/test-tasks.ts'

const server = await startTestServer()
afterAll(server.stop)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'north' } })
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'south' } })
const [north, south] = [await server.keyOf('north'), await server.keyOf('south')]

test('§7 open requests can be listed by createdAt desc, filtered by type and status', async () => {
  const [older, newer] = ['2026-01-01T08:00:00.000Z', '2026-01-01T08:00:30.000Z']
  const newest = await storeTask(server.database, { account: north, createdAt: newer })
  const before = await storeTask(server.database, { account: north, createdAt: older })
  await storeTask(server.database, { account: north, status: 'Expired' })
  await storeTask(server.database, { account: south })
  const query = new URLSearchParams({
    filter: JSON.stringify({ type: 'RemoteAuthRequest', status: 'Requested' }),
    sort: JSON.stringify({ prop: 'createdAt', dir: 'desc' }),
  })
  const { items } = await server.in('north')('GET', `/api/tasks?${query.toString()}`)
  expect(items.map(({ _id }) => _id)).toEqual([newest, before])
  for (const item of items) expect(tasks.entitySchema.strict().parse(item)).toEqual(item)
})

test.each(roles)('§6 requests are visible only to roles that may view RemoteAuth: %s', async (role) => {
  const may = isAllowed(rulesOfRole(role), { action: 'view', subject: 'RemoteAuth' })
  const own = await storeTask(server.database, { account: north })
  const outOfScope = await storeTask(server.database, { account: south })
  const { ask } = await server.signInAs({ role, account: 'north' })
  const answers = ['', `/${own}`, `/${outOfScope}`].map((path) => ask('GET', `/api/tasks${path}`))
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses).toEqual(may ? [200, 200, 404] : [403, 403, 403])
})

test('§7 the generic calls cannot create or decide a request', async () => {
  const id = await storeTask(server.database, { account: north })
  const ask = server.in('north')
  const answers = [
    await ask('POST', '/api/tasks', { body: { type: 'RemoteAuthRequest', door: uuidv7() } }),
    await ask('PATCH', `/api/tasks/${id}`, { body: { status: 'Granted' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 400])
  expect((await ask('GET', `/api/tasks/${id}`)).item['status']).toBe('Requested')
})

test('§7 a new request is published in the room task:{accountRef}:*', async () => {
  const connection = await connectTestSocket({ url: server.url, headers: server.headers })
  onTestFinished(connection.close)
  expect(await connection.join('task:north:*')).toBe('ok')
  const id = await storeTask(server.database, { account: north })
  await expect.poll(() => connection.of(id)).toEqual(['task:save'])
})

import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { spawnAnotherServer, startAnotherServer } from '../test-servers.ts'
import { request, requestUntilFree, startOwnServer } from '../test-server.ts'
import { wiredDoor } from './test-door.ts'

const server = await startOwnServer()
afterAll(server.stop)

const { door } = await wiredDoor(server.ask)
const ann = await server.signInAs({ role: 'appUser' })
const guards = await Promise.all(Array.from({ length: 4 }, () => server.signInAs({ role: 'accessManager' })))

test('§3 of 200 concurrent decisions on two servers one counts, and the others get its result', async () => {
  const { url } = await startAnotherServer(server.databaseUrl)
  const { _id } = await ann.client.remoteAccess.ask(door, { expiresAfterSeconds: 600 })
  const tries = Array.from({ length: 200 }, (_, index) => {
    const headers = { 'x-js-account': 'main', ...guards[index % guards.length]?.headers }
    const body = { grant: index % 3 !== 0 }
    const base = index % 2 === 0 ? server.url : url
    return requestUntilFree(`${base}/api/tasks/${_id}/actionRemoteAuth`, { method: 'POST', headers, body })
  })
  const answers = await Promise.all(tries)
  const [counted, ...duplicates] = answers.filter(({ status }) => status === 200)
  expect(duplicates).toEqual([])
  const late = answers.filter(({ status }) => status === 409)
  expect(late).toHaveLength(199)
  const status = counted?.item['status']
  for (const { json } of late) expect(json).toMatchObject({ error: { code: 'request_decided' }, item: { _id, status } })
  expect(
    await countOf(sql`select from unit_command join task on task_command = unit_command_id where task_id = ${_id}`),
  ).toBe(status === 'Granted' ? 1 : 0)
  const outcomes = ['access.remote_granted', 'access.remote_denied']
  expect(await eventsOf(outcomes)).toBe(1)
})

test('§3 undecided requests expire once, even with several servers running', async () => {
  await startAnotherServer(server.databaseUrl)
  const before = await eventsOf(['access.remote_expired'])
  const requesters = await Promise.all(Array.from({ length: 10 }, () => server.signInAs({ role: 'appUser' })))
  const requests = await Promise.all(
    requesters.map(({ client }) => client.remoteAccess.ask(door, { expiresAfterSeconds: 5 })),
  )
  const ids = requests.map(({ _id }) => _id)
  await expect.poll(() => expiredAmong(ids)).toBe(10)
  expect(await eventsOf(['access.remote_expired'])).toBe(before + 10)
  const [first = ''] = ids
  const answer = await guards[0]?.ask('POST', `/api/tasks/${first}/actionRemoteAuth`, { body: { grant: true } })
  expect(answer).toMatchObject({
    status: 409,
    error: { code: 'request_decided', message: 'This request is already expired.' },
  })
})

test('§3 requests raised on a killed server are expired by another one', async () => {
  const { url, kill } = await spawnAnotherServer(server.databaseUrl)
  const headers = { 'x-js-account': 'main', ...ann.headers }
  const body = { type: 'RemoteAuthRequest', door, data: { expiresAfterSeconds: 5 } }
  const { item } = await request(`${url}/api/tasks`, { method: 'POST', headers, body })
  await kill()
  await expect.poll(() => expiredAmong([item._id])).toBe(1)
})

function countOf(query: ReturnType<typeof sql>) {
  return server.database.asSystem((tx) => tx.run(query))
}

function expiredAmong(ids: readonly string[]) {
  return countOf(sql`select from task where task_id = any(${[...ids]}::uuid[]) and task_status = 'Expired'`)
}

async function eventsOf(types: readonly string[]) {
  const row = z.object({ count: z.int() })
  const found = await server.database.asSystem((tx) =>
    tx.first(row, sql`select count(*)::int as count from event where event_type = any(${[...types]}::text[])`),
  )
  return row.parse(found).count
}

import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { request, startOwnServer, type TestUser } from '../test-server.ts'
import { startSecondServer } from '../test-servers.ts'
import { storeRequest } from './store-request.ts'
import { wiredDoor } from './test-door.ts'

const server = await startOwnServer()
afterAll(server.stop)
const other = await startSecondServer(server.databaseUrl)
afterAll(other.stop)

const doors = await Promise.all(Array.from({ length: 20 }, async () => (await wiredDoor(server.ask)).door))
const [door = ''] = doors

test('§7 of 20 parallel requests of a user at one door, on two servers, one is made and the others get it', async () => {
  const user = await server.signInAs({ role: 'appUser' })
  const answers = await inParallel(Array.from({ length: 20 }, () => ({ user, door })))
  const [made, ...further] = answers.filter(({ status }) => status === 201)
  expect(further).toEqual([])
  const refused = answers.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(19)
  for (const { json } of refused) expect(json).toMatchObject({ error: { code: 'request_open' }, item: made?.json })
})

test('§7 of 20 parallel requests of a user at 20 doors, 10 are made and the others get the time to wait', async () => {
  const user = await server.signInAs({ role: 'appUser' })
  const answers = await inParallel(doors.map((each) => ({ user, door: each })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(10)
  for (const { error, headers } of refused) {
    expect(error.code).toBe('too_many')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(30)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
  }
})

test('§7 a user’s limit holds across accounts, and ends after a minute', async () => {
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'limits-below' } })
  const below = await wiredDoor(server.in('limits-below'))
  const user = await server.signInAs({ role: 'appUser' })
  const here = await inParallel(doors.slice(0, 9).map((each) => ({ user, door: each })))
  expect(new Set(here.map(({ status }) => status))).toEqual(new Set([201]))
  const ask = (id: string) => user.in('limits-below')('POST', '/api/tasks', { body: bodyFor(id) })
  expect((await ask(below.door)).status).toBe(201)
  const another = (await wiredDoor(server.in('limits-below'))).door
  expect((await ask(another)).status).toBe(429)
  await age(user.userId)
  expect((await ask(another)).status).toBe(201)
})

test('§7 of parallel requests of several users of an account, 100 a minute are made', async () => {
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'limits-busy' } })
  const askThere = server.in('limits-busy')
  const doors = await Promise.all(Array.from({ length: 10 }, async () => (await wiredDoor(askThere)).door))
  const users = await Promise.all(
    Array.from({ length: 12 }, () => server.signInAs({ role: 'appUser', account: 'limits-busy' })),
  )
  const account = 'limits-busy'
  const requests = users.flatMap((user) => doors.map((each) => ({ user, door: each, account })))
  const answers = await inParallel(requests.slice(0, 90))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(90)
  const last = await inParallel(requests.slice(90, 110))
  expect(last.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(last.filter(({ status }) => status === 429)).toHaveLength(10)
  const elsewhere = await server.signInAs({ role: 'appUser' })
  expect((await elsewhere.ask('POST', '/api/tasks', { body: bodyFor(door) })).status).toBe(201)
})

test('§3 requests that controllers raise at readers do not count', async () => {
  const user = await server.signInAs({ role: 'appUser' })
  const account = await server.keyOf(server.account)
  for (const each of doors) {
    const unitRequest = uuidv7()
    const raised = {
      account,
      door: each,
      user: { _id: user.userId, name: 'Ann' },
      expiresAfterSeconds: 60,
      unitRequest,
    }
    expect(await server.database.asSystem((tx) => storeRequest(tx, raised))).toBeDefined()
  }
  expect((await user.ask('POST', '/api/tasks', { body: bodyFor(door) })).status).toBe(201)
})

test.each([
  ['expired', (id: string) => server.database.asSystem((tx) => tx.run(expiry(id)))],
  ['decided', (id: string) => server.client.remoteAccess.deny(id)],
] as const)('a user requests a door again once their request is %s', async (_, end) => {
  const user = await server.signInAs({ role: 'appUser' })
  const { _id } = await user.client.remoteAccess.ask(door)
  await end(_id)
  expect((await user.ask('POST', '/api/tasks', { body: bodyFor(door) })).status).toBe(201)
})

/** Sends every second request to the other server. */
function inParallel(requests: readonly { user: TestUser; door: string; account?: string }[]) {
  return Promise.all(
    requests.map(({ user, door: id, account = server.account }, index) => {
      const base = index % 2 === 0 ? server.url : other.url
      const headers = { 'x-js-account': account, ...user.headers }
      return request(`${base}/api/tasks`, { method: 'POST', headers, body: bodyFor(id) })
    }),
  )
}

function bodyFor(id: string) {
  return { type: 'RemoteAuthRequest', door: id, data: { expiresAfterSeconds: 600 } }
}

function expiry(id: string) {
  return sql`update task set task_expires_at = clock_timestamp() where task_id = ${id}`
}

/** Moves the requests of a user a minute into the past. */
function age(user: string) {
  return server.database.asSystem((tx) =>
    tx.run(sql`update history set history_at = history_at - interval '1 minute' where history_actor = ${user}`),
  )
}

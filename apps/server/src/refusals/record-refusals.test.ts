import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { request, startOwnServer, type TestUser } from '../test-server.ts'
import { startSecondServer } from '../test-servers.ts'
import { connectTestSocket } from '../test-socket.ts'
import { RefusalCounts } from './refusal-counts.ts'

const server = await startOwnServer()
afterAll(server.stop)
await server.ask('POST', '/api/accounts', { body: { name: 'Harbour', ref: 'harbour' } })
await server.ask('POST', '/api/accounts', { body: { name: 'Quayside', ref: 'quayside' } })

const recorded = z.object({ count: z.int(), routes: z.array(z.string()) })

async function eventsSeenBy({ ask }: TestUser) {
  const { items } = await ask('GET', `/api/events?filter={"type":"administration.refused"}`)
  return items.map(({ user, data }) => ({ user, ...recorded.parse(z.object({ note: z.unknown() }).parse(data).note) }))
}

test('refused requests become one event per user and minute in their account, also when the server stops', async () => {
  const [ann, ben, calm] = [await signInTo('harbour'), await signInTo('harbour'), await signInTo('harbour')]
  const { url, stop } = await startSecondServer(server.databaseUrl)
  const ask = (
    user: TestUser,
    { method, path, account = 'harbour' }: { method: string; path: string; account?: string },
  ) => request(`${url}${path}`, { method, headers: { 'x-js-account': account, ...user.headers } })

  for (let times = 0; times < 12; times += 1) {
    const { error } = await ask(ann, { method: 'GET', path: times % 2 === 0 ? '/api/users' : '/api/units' })
    expect(error.code).toBe('forbidden')
  }
  expect((await ask(ann, { method: 'DELETE', path: `/api/units/${ann.userId}` })).error.code).toBe('forbidden')
  expect((await ask(ann, { method: 'GET', path: '/api/sites', account: 'quayside' })).error.code).toBe(
    'account_refused',
  )
  expect((await ask(ben, { method: 'GET', path: '/api/users' })).error.code).toBe('forbidden')
  expect((await ask(calm, { method: 'GET', path: '/api/users/me' })).status).toBe(200)
  expect((await request(`${url}/api/users`, { method: 'GET' })).status).toBe(401)
  await stop()

  const found = await eventsSeenBy(await server.signInAs({ role: 'admin', account: 'harbour' }))
  expect(found).toHaveLength(2)
  expect(found.find(({ user }) => user === ann.userId)).toEqual({
    user: ann.userId,
    count: 14,
    routes: ['GET /api/users', 'GET /api/units', 'DELETE /api/units/:id', 'GET /api/sites'],
  })
  expect(found.find(({ user }) => user === ben.userId)).toMatchObject({ count: 1, routes: ['GET /api/users'] })
  expect(await eventsSeenBy(await server.signInAs({ role: 'admin', account: 'quayside' }))).toEqual([])
  const all = await server.database.asSystem((tx) =>
    tx.run(sql`select from event where event_type = 'administration.refused'`),
  )
  expect(all).toBe(2)
})

function signInTo(account: string) {
  return server.signInAs({ role: 'appUser', account })
}

test('refused rooms are counted too', async () => {
  const dan = await signInTo('harbour')
  const { url, stop } = await startSecondServer(server.databaseUrl)
  const socket = await connectTestSocket({ url, headers: dan.headers })
  expect(await socket.join('user:harbour:*')).toBe('forbidden')
  expect(await socket.join('user:quayside:*')).toBe('account_refused')
  expect(await socket.join('unit:harbour:*')).toBe('forbidden')
  socket.close()
  await stop()
  const found = await eventsSeenBy(await server.signInAs({ role: 'admin', account: 'harbour' }))
  expect(found.filter(({ user }) => user === dan.userId)).toEqual([
    { user: dan.userId, count: 3, routes: ['join user', 'join unit'] },
  ])
})

test('a count covers the minute from the first refusal, with at most 5 routes, and other users are bounded', () => {
  let now = 0
  const counts = new RefusalCounts({ now: () => now })
  for (let route = 0; route < 7; route += 1) counts.add({ user: 'ann', route: `GET /${route % 6}` })
  now = 59_999
  counts.add({ user: 'ann', route: 'GET /0' })
  expect(counts.take('over')).toEqual([])
  now = 60_000
  counts.add({ user: 'ann', route: 'GET /0' })
  expect(counts.take('over')).toEqual([
    { user: 'ann', since: 0, count: 8, routes: ['GET /0', 'GET /1', 'GET /2', 'GET /3', 'GET /4'] },
  ])
  expect(counts.take('all')).toEqual([{ user: 'ann', since: 60_000, count: 1, routes: ['GET /0'] }])
  expect(counts.take('all')).toEqual([])
  for (let user = 0; user < 10_100; user += 1) counts.add({ user: `${user}`, route: 'GET /' })
  const taken = counts.take('all')
  expect(taken).toHaveLength(10_000)
  counts.restore(taken)
  expect(counts.take('over')).toHaveLength(10_000)
})

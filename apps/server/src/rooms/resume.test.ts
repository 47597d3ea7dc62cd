import { Live } from '@portcullis/client/live'
import { resume } from '@portcullis/contract/rooms'
import sql from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { pruneChanges } from '../changes/change-feed.ts'
import { makeItem } from '../collections/test-items.ts'
import { startOwnServer, type TestUser } from '../test-server.ts'
import { happen } from './test-events.ts'
import { connectTestSocket } from '../test-socket.ts'
import { openGate, startAnotherServer } from '../test-servers.ts'

const server = await startOwnServer()
afterAll(server.stop)
const patience = { timeout: 120_000 }
const main = await server.keyOf('main')

test('§2 a client that was offline receives the missed changes of all its rooms, in order and once, and reads nothing again', async () => {
  const [changed, gone] = [await made('sites'), await made('sites')]
  await everythingIsSent()
  const { gate, received, gaps } = await followed(['site', 'user', 'event'])
  gate.shut()
  const user = await made('users')
  await server.ask('PATCH', `/api/sites/${changed}`, { body: { name: 'Once' } })
  const [event] = await happen(server.database, { account: main, count: 1 })
  await server.ask('PATCH', `/api/sites/${changed}`, { body: { name: 'Twice' } })
  await server.ask('DELETE', `/api/sites/${gone}`)
  gate.open()
  const missed = [
    ['user', user],
    ['event', event],
    ['site', changed, 'Twice'],
    ['site gone', gone],
  ]
  await expect.poll(received, patience).toEqual(missed)
  const later = await made('sites')
  await expect.poll(received, patience).toEqual([...missed, ['site', later, expect.any(String)]])
  expect(gaps()).toEqual(['site', 'user', 'event'])
})

test('§2 cut off again and again under load, no client misses an event or receives one twice', async () => {
  const { gate, live, received, gaps } = await followed(['event'])
  const ids: string[] = []
  const more = async (count: number) => void ids.push(...(await happen(server.database, { account: main, count })))
  for (let cut = 0; cut < 4; cut++) {
    const before = received().length
    const events = more(40)
    await expect.poll(() => received().length, { ...patience, interval: 1 }).toBeGreaterThan(before)
    gate.shut()
    await events
    await more(30)
    gate.open()
    await more(10)
    await expect.poll(() => live.state, patience).toBe('live')
  }
  await expect.poll(() => received().map(([, id]) => id), patience).toEqual(ids)
  expect(gaps()).toEqual(['event'])
})

test('§2 a client that missed too much of one room reads it again, and receives the changes of the others', async () => {
  const { gate, received, gaps } = await followed(['event', 'site'])
  gate.shut()
  await happen(server.database, { account: main, count: 1_001 })
  const site = await made('sites')
  gate.open()
  await expect.poll(gaps, patience).toEqual(['event', 'site', 'event'])
  expect(received()).toEqual([['site', site, expect.any(String)]])
  const [event] = await happen(server.database, { account: main, count: 1 })
  await expect.poll(received, patience).toContainEqual(['event', event])
})

test('§2 a client that was offline for longer than changes are kept reads again', async () => {
  const { gate, received, gaps } = await followed(['site'])
  gate.shut()
  const site = await made('sites')
  const settled = sql`insert into change_mark select now() - interval '61 minutes', settled_before()`
  await server.database.asSystem((tx) => tx.run(settled))
  await pruneChanges(server.database)
  gate.open()
  await expect.poll(gaps, patience).toEqual(['site', 'site'])
  expect(received().flat()).not.toContain(site)
})

test('§2 a client that may see more than before reads again, and one that may see nothing is refused', async () => {
  const person = await server.signInAs({ role: 'accountManager' })
  const become = (role: string) => server.ask('PATCH', `/api/users/${person.userId}`, { body: { role } })
  const { gate, gaps } = await followed(['credential', 'site'], person)
  gate.shut()
  await become('admin')
  gate.open()
  await expect.poll(gaps, patience).toEqual(['credential', 'site', 'credential'])
  gate.shut()
  await become('appUser')
  gate.open()
  await expect.poll(gaps, patience).toHaveLength(5)
})

test('§2 another server of the installation continues from the position of the first one', async () => {
  const other = await startAnotherServer(server.databaseUrl)
  const room = 'event:main:*'
  const first = await connectionAt(server.url)
  const { rooms } = await first.resume({ since: null, rooms: [{ room, scope: null }] })
  expect(rooms).toMatchObject([{ is: 'refetch' }])
  const [, ...missed] = await happen(server.database, { account: main, count: 20 })
  await expect.poll(() => first.received.length, patience).toBe(20)
  first.close()
  const second = await connectionAt(other.url)
  const again = await second.resume({ since: first.positions[0], rooms: [{ room, scope: rooms[0]?.scope }] })
  expect(again.rooms).toEqual([{ scope: rooms[0]?.scope, is: 'current' }])
  const later = await happen(server.database, { account: main, count: 5 })
  await expect.poll(() => second.received.map(({ body }) => body._id), patience).toEqual([...missed, ...later])
})

test('§2 a client that joins a room later receives what happened in it since its last message', async () => {
  const connection = await connectionAt(server.url)
  await connection.resume({ since: null, rooms: [{ room: 'site:main:*', scope: null }] })
  const site = await made('sites')
  await expect.poll(() => connection.of(site), patience).toEqual(['site:save'])
  const missed = await happen(server.database, { account: main, count: 3 })
  const since = connection.positions.at(-1)
  const { rooms } = await connection.resume({ since, rooms: [{ room: 'event:main:*', scope: null }] })
  expect(rooms).toMatchObject([{ is: 'joined' }])
  const later = await happen(server.database, { account: main, count: 2 })
  await expect
    .poll(() => connection.received.map(({ body }) => body._id), patience)
    .toEqual([site, ...missed, ...later])
})

test('§2 a position that no server has reached, such as of a restored database, is treated as no position', async () => {
  const connection = await connectionAt(server.url)
  const room = 'site:main:*'
  const { rooms } = await connection.resume({ since: null, rooms: [{ room, scope: null }] })
  for (const since of ['9007199254740991.1', 'x', '1.1.1', '', '-1.2', '9'.repeat(50)]) {
    const { rooms: again } = await connection.resume({ since, rooms: [{ room, scope: rooms[0]?.scope }] })
    expect(again, since).toEqual([{ scope: rooms[0]?.scope, is: 'refetch' }])
  }
})

test('§2 invalid input is refused with a code', async () => {
  const connection = await connectionAt(server.url)
  const one = { room: 'site:main:*', scope: null }
  for (const body of [
    undefined,
    null,
    'site:main:*',
    {},
    { since: null },
    { since: 7, rooms: [] },
    { since: null, rooms: [one], more: 1 },
    { since: null, rooms: Array.from({ length: 201 }, () => one) },
    { since: null, rooms: [{ room: 'site:main:*', scope: 'x'.repeat(99) }] },
  ]) {
    expect(await connection.ask(resume.event, body)).toEqual({ error: { code: 'bad_request' } })
  }
  const { rooms } = await connection.resume({
    since: null,
    rooms: ['site:main:*', 'site:nowhere:*', 'sites', 7].map((room) => ({ room, scope: null })),
  })
  expect(rooms).toMatchObject([
    { is: 'refetch' },
    { error: { code: 'account_refused' } },
    { error: { code: 'bad_request' } },
    { error: { code: 'bad_request' } },
  ])
})

/** A client that follows these entities of the root account through a gate, and what it receives. */
async function followed(entities: readonly string[], person: Pick<TestUser, 'headers'> = server) {
  const gate = await openGate(server.url)
  const live = new Live({ baseUrl: gate.url, appVersion: 'test', headers: person.headers })
  onTestFinished(() => live.close())
  const [received, gaps]: [string[][], string[]] = [[], []]
  for (const entity of entities) {
    live.follow({
      entity,
      accountRef: 'main',
      onSave: (body) => {
        const { _id, name } = item.parse(body)
        received.push(entity === 'site' ? [entity, _id, name] : [entity, _id])
      },
      onRemove: (id) => void received.push([`${entity} gone`, id]),
      onGap: () => void gaps.push(entity),
    })
  }
  await expect.poll(() => gaps.length, patience).toBe(entities.length)
  return { gate, live, received: () => [...received], gaps: () => [...gaps] }
}

/** A client that connects now receives no earlier changes. */
async function everythingIsSent() {
  const witness = await connectionAt(server.url)
  await witness.join('site:main:*')
  const last = await made('sites')
  await expect.poll(() => witness.of(last), patience).toEqual(['site:save'])
}

const item = z.object({ _id: z.string(), name: z.string().default('') })

async function connectionAt(url: string) {
  const connection = await connectTestSocket({ url, headers: server.headers })
  onTestFinished(connection.close)
  return connection
}

async function made(collection: 'sites' | 'users') {
  return (await makeItem({ ask: server.ask, collection }))._id
}

import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer, type TestUser } from '../test-server.ts'
import { connectTestSocket } from '../test-socket.ts'

const server = await startTestServer()
afterAll(server.stop)

const { ref: child } = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'child' } })
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'sibling' } })

test('the room of one item receives changes of that item only', async () => {
  const connection = await connected(server)
  const [one, other] = [await site(), await site()]
  expect(await connection.join(`site:${server.account}:${one}`)).toBe('ok')
  await server.ask('PATCH', `/api/sites/${other}`, { body: { name: 'Other' } })
  await server.ask('PATCH', `/api/sites/${one}`, { body: { name: 'One' } })
  await expect.poll(() => connection.of(one)).toContain('site:save')
  expect(connection.of(other)).toEqual([])
})

test('a client that has left a room receives nothing more from it', async () => {
  const [leaver, stayer] = [await connected(server), await connected(server)]
  for (const connection of [leaver, stayer]) expect(await connection.join(`site:${server.account}:*`)).toBe('ok')
  expect(await leaver.leave(`site:${server.account}:*`)).toBe('ok')
  const id = await site()
  await expect.poll(() => stayer.of(id)).toContain('site:save')
  expect(leaver.of(id)).toEqual([])
})

test('a client that joins a room twice receives everything once, and leaves it with one message', async () => {
  const [connection, stayer] = [await connected(server), await connected(server)]
  expect(
    await Promise.all([connection.join(`site:${server.account}:*`), connection.join(`site:${server.account}:*`)]),
  ).toEqual(['ok', 'ok'])
  await stayer.join(`site:${server.account}:*`)
  const first = await site()
  await expect.poll(() => connection.of(first)).toEqual(['site:save'])
  expect(await connection.leave(`site:${server.account}:*`)).toBe('ok')
  const second = await site()
  await expect.poll(() => stayer.of(second)).toEqual(['site:save'])
  expect(await connection.leave(`site:${server.account}:*`)).toBe('ok')
  expect(connection.of(second)).toEqual([])
})

test('requests are carried out in the order in which they were sent', async () => {
  const [connection, stayer] = [await connected(server), await connected(server)]
  const answers = [
    connection.join(`site:${server.account}:*`),
    connection.leave(`site:${server.account}:*`),
    connection.join(`user:${server.account}:*`),
  ]
  expect(await Promise.all(answers)).toEqual(['ok', 'ok', 'ok'])
  await stayer.join(`site:${server.account}:*`)
  const id = await site()
  await expect.poll(() => stayer.of(id)).toEqual(['site:save'])
  await connection.leave(`user:${server.account}:*`)
  expect(connection.of(id)).toEqual([])
})

test('leaving a room that was not joined, or does not exist, is answered ok', async () => {
  const connection = await connected(server)
  for (const room of [`site:${server.account}:*`, 'site:nowhere:*', 'no room'])
    expect(await connection.leave(room)).toBe('ok')
})

test('a client that sends hundreds of requests without waiting for an answer is refused until it waits', async () => {
  const connection = await connected(server)
  const answers = await Promise.all(Array.from({ length: 450 }, () => connection.join('user:nowhere:*')))
  expect(new Set(answers)).toEqual(new Set(['account_refused', 'too_many']))
})

test('nothing is delivered before it is committed, and a rolled back change never', async () => {
  const connection = await connected(server)
  await connection.join(`site:${server.account}:*`)
  const account = await server.keyOf(server.account)
  const attempts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ids = attempts.map(() => uuidv7())
  const written = attempts.map(() => Promise.withResolvers<void>())
  const work = attempts.map(({ promise }, index) =>
    server.database.asSystem(async (tx) => {
      await tx.run(sql`insert into site (site_id, site_account, site_name, site_time_zone)
        values (${ids[index]}, ${account}, 'In the making', 'UTC')`)
      await tx.run(sql`insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
        values (${account}, 'sites', ${ids[index]}, 'save', true)`)
      written[index]?.resolve()
      await promise
    }),
  )
  await Promise.all(written.map(({ promise }) => promise))
  attempts[0]?.reject(new Error('rolled back'))
  await work[0]?.catch(() => {})
  const committed = await site()
  expect(connection.received).toEqual([])
  attempts[1]?.resolve()
  await work[1]
  await expect.poll(() => connection.received.map(({ body }) => body._id)).toEqual([ids[1], committed])
})

test('a room is joined by users who may view its collection in its account, and by no others', async () => {
  const [admin, reporter, below, appUser] = await Promise.all([
    server.signInAs({ role: 'admin' }),
    server.signInAs({ role: 'reportingUser' }),
    server.signInAs({ role: 'admin', account: 'child' }),
    server.signInAs({ role: 'appUser' }),
  ])
  expect(await answers(admin, [`site:${server.account}:*`, 'site:child:*', `user:${server.account}:*`])).toEqual([
    'ok',
    'ok',
    'ok',
  ])
  expect(
    await answers(reporter, [`site:${server.account}:*`, 'event:child:*', `user:${server.account}:*`, 'unit:child:*']),
  ).toEqual(['ok', 'ok', 'forbidden', 'forbidden'])
  const foreign = [`site:${server.account}:*`, 'site:sibling:*', 'site:nowhere:*', `site:${server.account}:${uuidv7()}`]
  expect(await answers(below, ['site:child:*', ...foreign])).toEqual(['ok', ...foreign.map(() => 'account_refused')])
  expect(await answers(appUser, [`site:${server.account}:*`, `event:${server.account}:*`])).toEqual([
    'forbidden',
    'forbidden',
  ])
})

test('an invalid room name is refused', async () => {
  const names = [
    '',
    'site',
    `sites:${server.account}:*`,
    `site:${server.account}`,
    `site:${server.account}:7`,
    `Site:${server.account}:*`,
    'site:MAIN:*',
    'site:*:*',
    7,
    null,
  ]
  const { connection } = await connectionOf(server, [])
  for (const name of [...names, { room: `site:${server.account}:*` }, 'x'.repeat(300)]) {
    expect(await connection.join(name), JSON.stringify(name)).toBe('bad_request')
  }
  expect(await connection.leave({})).toBe('bad_request')
})

test('a room is named by the ref of its account, so that no name means two rooms', async () => {
  const below = await server.signInAs({ role: 'admin', account: 'child' })
  const { json } = await below.ask('GET', '/api/users/me')
  expect(json).toMatchObject({ account: { ref: child } })
  expect(await answers(below, ['site:null:*'])).toEqual(['bad_request'])
})

test('a socket joins at most 200 rooms, also when it requests more at once', async () => {
  const connection = await connected(server)
  const rooms = Array.from({ length: 205 }, () => `site:${server.account}:${uuidv7()}`)
  const results = await Promise.all(rooms.map((room) => connection.join(room)))
  expect(results.filter((result) => result === 'ok')).toHaveLength(200)
  expect(results.filter((result) => result === 'too_many')).toHaveLength(5)
  const joined = rooms[results.indexOf('ok')] ?? ''
  expect(await connection.join(joined)).toBe('ok')
  await connection.leave(joined)
  expect(await connection.join(`site:${server.account}:*`)).toBe('ok')
})

test('a frame of more than 64 kB ends the connection', async () => {
  const connection = await connected(server)
  connection.send('join', 'x'.repeat(70_000))
  await expect.poll(connection.isConnected).toBe(false)
})

test('a handshake without a session, or from a page of another origin, is refused', async () => {
  const { headers, url } = server
  const handshakes: Record<string, string>[] = [
    {},
    { cookie: 'portcullis=none' },
    { cookie: `portcullis=${'x'.repeat(43)}` },
    { ...headers, origin: 'https://evil.example' },
    { ...headers, origin: 'null' },
  ]
  for (const refused of handshakes) {
    await expect(connectTestSocket({ url, headers: refused }), JSON.stringify(refused)).rejects.toThrow()
  }
  const own = await connectTestSocket({ url, headers: { ...headers, origin: url } })
  own.close()
})

test('a client stays in a room when its role gets more rights', async () => {
  const person = await server.signInAs({ role: 'reportingUser' })
  const { connection } = await connectionOf(person, [`site:${server.account}:*`])
  await server.ask('PATCH', `/api/users/${person.userId}`, { body: { role: 'admin' } })
  await expect.poll(() => connection.join(`user:${server.account}:*`)).toBe('ok')
  const id = await site()
  await expect.poll(() => connection.of(id)).toContain('site:save')
})

async function connected(user: Pick<TestUser, 'headers'>) {
  const connection = await connectTestSocket({ url: server.url, headers: user.headers })
  onTestFinished(connection.close)
  return connection
}

async function connectionOf(user: Pick<TestUser, 'headers'>, rooms: string[]) {
  const connection = await connected(user)
  const answered: string[] = []
  for (const room of rooms) answered.push(await connection.join(room))
  return { connection, answered }
}

async function answers(user: Pick<TestUser, 'headers'>, rooms: string[]) {
  return (await connectionOf(user, rooms)).answered
}

async function site() {
  return (await makeItem({ ask: server.ask, collection: 'sites' }))._id
}

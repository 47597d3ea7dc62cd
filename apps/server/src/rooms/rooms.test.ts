import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer, type Visitor } from '../test-server.ts'
import { connectGuest } from '../test-guest.ts'

const server = await startTestServer()
afterAll(server.stop)

const { ref: child } = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'child' } })
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'sibling' } })

test('the room of one item hears of that item only', async () => {
  const guest = await connected(server)
  const [one, other] = [await site(), await site()]
  expect(await guest.join(`site:${server.account}:${one}`)).toBe('ok')
  await server.ask('PATCH', `/api/sites/${other}`, { body: { name: 'Other' } })
  await server.ask('PATCH', `/api/sites/${one}`, { body: { name: 'One' } })
  await expect.poll(() => guest.of(one)).toContain('site:save')
  expect(guest.of(other)).toEqual([])
})

test('who has left a room hears nothing more of it', async () => {
  const [leaver, stayer] = [await connected(server), await connected(server)]
  for (const guest of [leaver, stayer]) expect(await guest.join(`site:${server.account}:*`)).toBe('ok')
  expect(await leaver.leave(`site:${server.account}:*`)).toBe('ok')
  const id = await site()
  await expect.poll(() => stayer.of(id)).toContain('site:save')
  expect(leaver.of(id)).toEqual([])
})

test('who joins a room twice hears everything once, and leaves it with one word', async () => {
  const [guest, stayer] = [await connected(server), await connected(server)]
  expect(await Promise.all([guest.join(`site:${server.account}:*`), guest.join(`site:${server.account}:*`)])).toEqual([
    'ok',
    'ok',
  ])
  await stayer.join(`site:${server.account}:*`)
  const first = await site()
  await expect.poll(() => guest.of(first)).toEqual(['site:save'])
  expect(await guest.leave(`site:${server.account}:*`)).toBe('ok')
  const second = await site()
  await expect.poll(() => stayer.of(second)).toEqual(['site:save'])
  expect(await guest.leave(`site:${server.account}:*`)).toBe('ok')
  expect(guest.of(second)).toEqual([])
})

test('what is asked for comes to pass in the order in which it was asked for', async () => {
  const [guest, stayer] = [await connected(server), await connected(server)]
  const answers = [
    guest.join(`site:${server.account}:*`),
    guest.leave(`site:${server.account}:*`),
    guest.join(`user:${server.account}:*`),
  ]
  expect(await Promise.all(answers)).toEqual(['ok', 'ok', 'ok'])
  await stayer.join(`site:${server.account}:*`)
  const id = await site()
  await expect.poll(() => stayer.of(id)).toEqual(['site:save'])
  await guest.leave(`user:${server.account}:*`)
  expect(guest.of(id)).toEqual([])
})

test('whoever leaves a room that they are not in, or that there is not, is answered ok', async () => {
  const guest = await connected(server)
  for (const room of [`site:${server.account}:*`, 'site:nowhere:*', 'no room'])
    expect(await guest.leave(room)).toBe('ok')
})

test('who asks for hundreds of things without waiting for an answer is told to wait', async () => {
  const guest = await connected(server)
  const answers = await Promise.all(Array.from({ length: 450 }, () => guest.join('user:nowhere:*')))
  expect(new Set(answers)).toEqual(new Set(['account_refused', 'too_many']))
})

test('nothing is heard before it is committed, and what is rolled back never', async () => {
  const guest = await connected(server)
  await guest.join(`site:${server.account}:*`)
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
  expect(guest.heard).toEqual([])
  attempts[1]?.resolve()
  await work[1]
  await expect.poll(() => guest.heard.map(({ body }) => body._id)).toEqual([ids[1], committed])
})

test('a room is joined by who may view its collection in its account, and by nobody else', async () => {
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

test('what is no name of a room is refused', async () => {
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
  const { guest } = await guestOf(server, [])
  for (const name of [...names, { room: `site:${server.account}:*` }, 'x'.repeat(300)]) {
    expect(await guest.join(name), JSON.stringify(name)).toBe('bad_request')
  }
  expect(await guest.leave({})).toBe('bad_request')
})

test('a room bears the ref of its account, so that no name means two rooms', async () => {
  const below = await server.signInAs({ role: 'admin', account: 'child' })
  const { json } = await below.ask('GET', '/api/users/me')
  expect(json).toMatchObject({ account: { ref: child } })
  expect(await answers(below, ['site:null:*'])).toEqual(['bad_request'])
})

test('a socket joins 200 rooms, also when it asks for more at once', async () => {
  const guest = await connected(server)
  const rooms = Array.from({ length: 205 }, () => `site:${server.account}:${uuidv7()}`)
  const results = await Promise.all(rooms.map((room) => guest.join(room)))
  expect(results.filter((result) => result === 'ok')).toHaveLength(200)
  expect(results.filter((result) => result === 'too_many')).toHaveLength(5)
  const joined = rooms[results.indexOf('ok')] ?? ''
  expect(await guest.join(joined)).toBe('ok')
  await guest.leave(joined)
  expect(await guest.join(`site:${server.account}:*`)).toBe('ok')
})

test('a frame of more than 64 kB ends the connection', async () => {
  const guest = await connected(server)
  guest.send('join', 'x'.repeat(70_000))
  await expect.poll(guest.isConnected).toBe(false)
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
    await expect(connectGuest({ url, headers: refused }), JSON.stringify(refused)).rejects.toThrow()
  }
  const own = await connectGuest({ url, headers: { ...headers, origin: url } })
  own.close()
})

test('a role that has grown is no reason to leave', async () => {
  const person = await server.signInAs({ role: 'reportingUser' })
  const { guest } = await guestOf(person, [`site:${server.account}:*`])
  await server.ask('PATCH', `/api/users/${person.userId}`, { body: { role: 'admin' } })
  await expect.poll(() => guest.join(`user:${server.account}:*`)).toBe('ok')
  const id = await site()
  await expect.poll(() => guest.of(id)).toContain('site:save')
})

async function connected(visitor: Pick<Visitor, 'headers'>) {
  const guest = await connectGuest({ url: server.url, headers: visitor.headers })
  onTestFinished(guest.close)
  return guest
}

async function guestOf(visitor: Pick<Visitor, 'headers'>, rooms: string[]) {
  const guest = await connected(visitor)
  const answered: string[] = []
  for (const room of rooms) answered.push(await guest.join(room))
  return { guest, answered }
}

async function answers(visitor: Pick<Visitor, 'headers'>, rooms: string[]) {
  return (await guestOf(visitor, rooms)).answered
}

async function site() {
  return (await makeItem({ ask: server.ask, collection: 'sites' }))._id
}

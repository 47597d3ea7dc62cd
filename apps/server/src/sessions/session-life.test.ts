import sql, { type Sql } from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { openBrowser } from '../mfa/test-authenticator.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startAnotherServer } from '../test-servers.ts'
import { startOwnServer, type TestUser } from '../test-server.ts'

const server = await startOwnServer()
afterAll(server.stop)

const change = (query: Sql) => server.database.asSystem((tx) => tx.run(query))
const away = ({ userId }: TestUser, interval: string) =>
  change(
    sql`update session set session_last_activity_at = now() - ${interval}::interval where session_person = ${userId}`,
  )
const outcome = async ({ ask }: TestUser, path = '/api/sites') => {
  const { status, error } = await ask('GET', path)
  return error.code || status
}
const endsAt = async ({ client }: TestUser) => new Date((await client.activity()).endsAt).getTime() - Date.now()

async function connectAs(person: TestUser, url = server.url) {
  const connection = await connectTestSocket({ url, headers: person.headers })
  onTestFinished(connection.close)
  return connection
}

describe('§4 idle: the server ends a session', () => {
  test('one minute after the idle time of its user, and not before', async () => {
    const person = await server.signInAs({ role: 'admin' })
    await away(person, '5 minutes 20 seconds')
    expect(await outcome(person)).toBe(200)
    await away(person, '6 minutes')
    for (const path of ['/api/sites', '/api/users/me', '/api/accounts/hierarchy', '/api/users/me/sessions']) {
      expect(await outcome(person, path)).toBe('session_ended')
    }
    expect((await person.ask('POST', '/api/auth/activity')).error.code).toBe('session_ended')
  })

  test('also while the rights of its user are cached', async () => {
    const person = await server.signInAs({ role: 'admin' })
    for (let times = 0; times < 3; times += 1) expect(await outcome(person)).toBe(200)
    await away(person, '6 minutes')
    expect(await outcome(person)).toBe('session_ended')
    const written = await person.ask('POST', '/api/sites', { body: { name: 'Late', timeZone: 'UTC' } })
    expect(written.error.code).toBe('session_ended')
  })

  test('with its sockets on every server, which are notified', async () => {
    const person = await server.signInAs({ role: 'admin' })
    const other = await startAnotherServer(server.databaseUrl)
    const connections = [await connectAs(person), await connectAs(person, other.url)]
    const witness = await connectAs(await server.signInAs({ role: 'admin' }))
    for (const connection of [...connections, witness]) expect(await connection.join('site:main:*')).toBe('ok')
    await away(person, '6 minutes')
    // Later changes do not reach these sockets.
    const { _id } = await makeItem({ ask: server.ask, collection: 'sites' })
    await expect.poll(() => witness.of(_id)).toEqual(['site:save'])
    for (const connection of connections) {
      expect(connection.of(_id)).toEqual([])
      await expect.poll(() => connection.notices).toContainEqual(['ended', { code: 'session_ended' }])
      await expect.poll(connection.isConnected).toBe(false)
    }
    await expect(connectAs(person)).rejects.toThrow('unauthenticated')
  })

  test('on its own: its socket closes without a request', async () => {
    const person = await server.signInAs({ role: 'admin' })
    const connection = await connectAs(person)
    await away(person, '5 minutes 59 seconds')
    await expect.poll(connection.isConnected).toBe(false)
  })

  test('despite requests, sockets and changes, which are not activity', async () => {
    const person = await server.signInAs({ role: 'admin' })
    const connection = await connectAs(person)
    await away(person, '5 minutes')
    expect(await connection.join('site:main:*')).toBe('ok')
    expect(await outcome(person)).toBe(200)
    expect(await outcome(person, '/api/users/me')).toBe(200)
    await makeItem({ ask: person.ask, collection: 'sites' })
    const [seen] = await server.database.asSystem((tx) =>
      tx.rows(
        z.object({ seconds: z.number() }),
        sql`select extract(epoch from now() - session_last_activity_at)::float8 as seconds from session
              where session_person = ${person.userId}`,
      ),
    )
    expect(seen?.seconds).toBeGreaterThanOrEqual(300)
  })
})

describe('§4 idle: activity', () => {
  test('extends the session, and returns when it ends', async () => {
    const person = await server.signInAs({ role: 'admin' })
    await away(person, '5 minutes')
    expect((await endsAt(person)) / 1000).toBeCloseTo(360, -2)
    await away(person, '0 seconds')
    expect(await outcome(person)).toBe(200)
  })

  test('never extends it beyond twelve hours', async () => {
    const person = await server.signInAs({ role: 'admin' })
    await change(sql`update session set session_created_at = now() - interval '11 hours 59 minutes'
      where session_person = ${person.userId}`)
    expect((await endsAt(person)) / 1000).toBeCloseTo(60, -2)
    expect((await endsAt(person)) / 1000).toBeLessThanOrEqual(61)
  })

  test('uses the current idle time: a change applies to existing sessions', async () => {
    const person = await server.signInAs({ role: 'admin' })
    await away(person, '200 seconds')
    await server.ask('PATCH', `/api/users/${person.userId}`, { body: { idleTime: 200 } })
    expect(await outcome(person)).toBe(200)
    await server.ask('PATCH', `/api/users/${person.userId}`, { body: { idleTime: 60 } })
    expect(await outcome(person)).toBe('session_ended')
    await server.ask('PATCH', `/api/users/${person.userId}`, { body: { idleTime: 86_400 } })
    await away(person, '11 hours')
    expect(await outcome(person)).toBe(200)
  })

  test('needs the header that no page of another origin can send', async () => {
    const person = await server.signInAs({ role: 'admin' })
    const answer = await fetch(`${server.url}/api/auth/activity`, { method: 'POST', headers: person.headers })
    expect(answer.status).toBe(400)
  })
})

test('§2 a user suspended in all their accounts is signed out for good, and their sockets close', async () => {
  const person = await server.signInAs({ role: 'admin' })
  const connection = await connectAs(person)
  const status = (to: string) => server.ask('PATCH', `/api/users/${person.userId}`, { body: { status: to } })
  await status('suspended')
  expect(await outcome(person, '/api/users/me')).toBe('session_ended')
  await expect.poll(connection.isConnected).toBe(false)
  await status('active')
  expect(await outcome(person, '/api/users/me')).toBe('session_ended')
})

test('§2 a user suspended during their sign-in is not signed in', async () => {
  const { email, userId } = await server.signInAs({ role: 'admin' })
  const browser = openBrowser(server)
  const suspend = sql`update membership set membership_status = 'suspended' where membership_user = ${userId}`
  await server.database.asSystem(async (tx) => {
    await tx.run(suspend)
    // The suspension is not committed yet, so other transactions do not see it.
    expect((await browser.signIn(email)).status).toBe(200)
  })
  expect(await browser.status()).toBe('session_ended')
  await expect(connectTestSocket({ url: server.url, headers: { cookie: browser.cookie } })).rejects.toThrow(
    'unauthenticated',
  )
})

test('§2 a user suspended in one of several accounts stays signed in', async () => {
  const north = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'north' } })
  expect(north._id).not.toBe('')
  const person = await server.signInAs({ role: 'admin' })
  await change(sql`insert into membership (membership_user, membership_account, membership_role)
    values (${person.userId}, ${await server.keyOf('north')}, 'admin')`)
  await server.ask('PATCH', `/api/users/${person.userId}`, { body: { status: 'suspended' } })
  expect((await person.in('north')('GET', '/api/users/me')).status).toBe(200)
})

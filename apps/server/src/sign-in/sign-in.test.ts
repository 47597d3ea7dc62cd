import sql from 'sql-template-tag'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { connectTestSocket } from '../test-socket.ts'
import { password, request, startOwnServer, type TestUser } from '../test-server.ts'

const server = await startOwnServer()
afterAll(server.stop)
beforeEach(() => server.database.asSystem((tx) => tx.run(sql`delete from sign_in_failure`)))

type SignInOptions = { email?: unknown; password?: unknown; type?: unknown; cookie?: string; url?: string }

function signIn({ cookie, url = server.url, ...credentials }: SignInOptions) {
  const body = { email: server.email, password, type: 'Local', ...credentials }
  const headers = { 'x-js-account': 'null', ...(cookie ? { cookie } : {}) }
  return request(`${url}/api/auth/login`, { method: 'POST', headers, body })
}

const cookieOf = (answer: Awaited<ReturnType<typeof signIn>>) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
const me = (cookie: string) =>
  request(`${server.url}/api/users/me`, { method: 'GET', headers: { cookie, 'x-js-account': 'null' } })

describe('§2 login', () => {
  test('returns the signed-in user, and sets a cookie that scripts cannot read', async () => {
    const answer = await signIn({})
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ verified: true, mfa: false, currentUser: { email: server.email, hyper: true } })
    expect(JSON.stringify(answer.json)).not.toMatch(/hash|argon2|token/i)
    const [cookie = '', device = '', ...others] = answer.headers.getSetCookie()
    expect(others).toEqual([])
    expect(cookie).toMatch(/^portcullis=[\w-]{43}; /)
    expect(cookie.split('; ').slice(1).toSorted()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax'])
    expect(device).toMatch(/^portcullis-device=[\w-]{43}; /)
    expect(device.split('; ').slice(1).toSorted()).toEqual(['HttpOnly', 'Max-Age=34560000', 'Path=/', 'SameSite=Lax'])
  })

  test('ignores case and spaces of the email', async () => {
    expect((await signIn({ email: ` ${server.email.toUpperCase()} ` })).status).toBe(200)
  })

  test('refuses a wrong password and an unknown email with the same code and message', async () => {
    const person = await server.signInAs({ role: 'appUser' })
    const answers = [
      await signIn({ password: 'wrong' }),
      await signIn({ email: 'nobody@portcullis.example' }),
      await signIn({ email: person.email, password: `${password} ` }),
    ]
    for (const { status, error, headers } of answers) {
      expect([status, error]).toEqual([403, answers[0]?.error])
      expect(headers.getSetCookie()).toEqual([])
    }
    expect(answers[0]?.error.code).toBe('wrong_credentials')
  })

  test('refuses a user without a password with the same code', async () => {
    const { item } = await server.ask('POST', '/api/users', { body: { name: 'New', email: 'new@portcullis.example' } })
    const refused = await signIn({ email: item['email'], password: '' })
    expect(refused.status).toBe(400)
    expect((await signIn({ email: item['email'] })).error.code).toBe('wrong_credentials')
  })

  test.each<[string, SignInOptions, string]>([
    ['no email', { email: '' }, 'email'],
    ['no address', { email: 'root' }, 'email'],
    ['a list', { email: ['a@b.example'] }, 'email'],
    ['a NUL', { password: 'a\u0000' }, 'password'],
    ['no password', { password: '' }, 'password'],
    ['a novel', { password: 'x'.repeat(1_025) }, 'password'],
    ['an unknown kind', { type: 'Magic' }, 'type'],
  ])('names the invalid field: %s', async (_what, options, field) => {
    const { status, error } = await signIn(options)
    expect([status, Object.keys(error.fields)]).toEqual([400, [field]])
  })

  test('opens a new session and ends the old one of the same browser', async () => {
    const first = cookieOf(await signIn({}))
    const second = cookieOf(await signIn({ cookie: first }))
    expect(second).not.toBe(first)
    expect([(await me(first)).status, (await me(second)).status]).toEqual([401, 200])
  })

  test('§4 §8 ends the session of the browser when it fails, and removes its cookie', async () => {
    const cookie = cookieOf(await signIn({}))
    expect((await me(cookie)).status).toBe(200)
    const failed = await signIn({ cookie, password: 'wrong password' })
    expect(failed.status).toBe(403)
    expect(failed.headers.getSetCookie()).toEqual([expect.stringMatching(/^portcullis=; Max-Age=0; /)])
    expect((await me(cookie)).status).toBe(401)
  })

  test.each([
    { body: {} },
    { body: { email: 'not an email', password } },
    { body: { email: server.email, password, type: 'Nonsense' } },
  ])('§4 §8 ends the session of the browser also where the input is invalid: $body', async ({ body }) => {
    const cookie = cookieOf(await signIn({}))
    const failed = await request(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'x-js-account': 'null', cookie },
      body,
    })
    expect(failed.status).toBe(400)
    expect(failed.headers.getSetCookie()).toEqual([expect.stringMatching(/^portcullis=; Max-Age=0; /)])
    expect((await me(cookie)).status).toBe(401)
  })

  test.each([
    ['no JSON', '{', 400],
    ['a field twice', '{"email":"a@b.example","email":"a@b.example"}', 400],
    ['more than 64 kB', `{"email":"${'x'.repeat(70_000)}"}`, 413],
  ])('§4 §8 ends the session of the browser also where the body is %s', async (_what, body, status) => {
    const cookie = cookieOf(await signIn({}))
    const headers = { 'content-type': 'application/json', 'x-js-account': 'null', cookie }
    const failed = await fetch(`${server.url}/api/auth/login`, { method: 'POST', headers, body })
    expect(failed.status).toBe(status)
    expect((await me(cookie)).status).toBe(401)
  })

  test('leaves the sessions of other browsers alone', async () => {
    const [first, second] = [cookieOf(await signIn({})), cookieOf(await signIn({}))]
    expect([(await me(first)).status, (await me(second)).status]).toEqual([200, 200])
  })

  test('stores no token in the database', async () => {
    const token = cookieOf(await signIn({})).split('=')[1] ?? ''
    const rows = await server.database.asSystem((tx) =>
      tx.rows(z.object({ row: z.string() }), sql`select session::text as row from session`),
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(
      rows.some(({ row }) => row.includes(token) || row.includes(Buffer.from(token, 'base64url').toString('hex'))),
    ).toBe(false)
  })
})

describe('a session', () => {
  const start = (role: 'admin' | 'appUser' = 'admin') => server.signInAs({ role })
  const statusOf = async ({ ask }: TestUser) => {
    const { status, error } = await ask('GET', '/api/users/me')
    return [status, error.code]
  }

  test('ends with sign-out, for requests and for the real-time channel', async () => {
    const person = await start()
    const connection = await connectTestSocket({ url: server.url, headers: person.headers })
    const answer = await person.ask('POST', '/api/auth/logout')
    expect([answer.status, answer.headers.getSetCookie()[0]]).toEqual([
      204,
      expect.stringMatching(/^portcullis=; .*Expires=Thu, 01 Jan 1970/),
    ])
    expect(await statusOf(person)).toEqual([401, 'session_ended'])
    await expect.poll(connection.isConnected).toBe(false)
    expect((await person.ask('POST', '/api/auth/logout')).status).toBe(204)
  })

  test('ends after 12 hours, despite activity', async () => {
    const person = await start()
    const age = (interval: string) =>
      server.database.asSystem((tx) =>
        tx.run(
          sql`update session set session_created_at = now() - ${interval}::interval where session_person = ${person.userId}`,
        ),
      )
    await age('11 hours 59 minutes')
    expect(await statusOf(person)).toEqual([200, ''])
    await age('12 hours 1 second')
    expect(await statusOf(person)).toEqual([401, 'session_ended'])
  })

  test('ends when its user is deleted', async () => {
    const person = await start()
    await server.ask('DELETE', `/api/users/${person.userId}`)
    expect(await statusOf(person)).toEqual([401, 'session_ended'])
  })

  test.each([
    '',
    'portcullis',
    'portcullis=',
    'portcullis=x',
    `portcullis=${'x'.repeat(43)}`,
    `portcullis=${'x'.repeat(5_000)}`,
    `portcullis="; portcullis=%E0%A4%A`,
    '=; ;;=;',
    '__proto__=x; constructor=y',
    `__Host-portcullis=${'é'.repeat(20)}`,
  ])('does not open with the cookie "%s"', async (cookie) => {
    const answer = await me(Buffer.from(cookie).toString('latin1'))
    expect(answer.status).toBe(401)
    expect(['unauthenticated', 'session_ended']).toContain(answer.error.code)
  })

  test('returns its user, account and rules', async () => {
    const person = await start('appUser')
    const { user, account, rules } = await person.client.me()
    expect(user).toMatchObject({ _id: person.userId, hyper: false, role: 'appUser', idleTime: 300 })
    expect(user.accounts).toEqual([{ ref: 'main', role: 'appUser', name: 'Main account' }])
    expect([account?.ref, rules]).toEqual(['main', []])
  })
})

test('behind TLS the cookie is bound to the host and travels by TLS only', async () => {
  const behind = await startOwnServer({ publicUrl: 'https://doors.example.com' })
  const answer = await signIn({ url: behind.url })
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-portcullis=[\w-]{43}; /)
  expect(cookie.split('; ').slice(1).toSorted()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'])
  const headers = { cookie: cookie.split(';')[0] ?? '', 'x-js-account': 'main' }
  const write = (origin: string) =>
    request(`${behind.url}/api/sites`, {
      method: 'POST',
      headers: { ...headers, origin },
      body: { name: 'x', timeZone: 'UTC' },
    })
  expect((await write('https://doors.example.com')).status).toBe(201)
  for (const origin of [behind.url, 'http://doors.example.com', 'https://doors.example.com.evil.example']) {
    expect((await write(origin)).error.code).toBe('origin_refused')
  }
  await behind.stop()
})

import { request as plainRequest } from 'node:http'
import { isGuarded } from '@portcullis/contract/call'
import { calls } from '@portcullis/contract/calls/registry'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { password, request, startOwnServer } from '../test-server.ts'

const server = await startOwnServer()
afterAll(server.stop)
beforeEach(() => server.database.asSystem((tx) => tx.run(sql`delete from sign_in_failure`)))

const login = `${server.url}/api/auth/login`
const credentials = { email: server.email, password, type: 'Local' }
const guarded = calls.filter((call) => call.tag === 'session' && isGuarded(call))

type SignInOptions = { body?: unknown; headers?: Record<string, string> }

function signIn({ body = credentials, headers = {} }: SignInOptions = {}) {
  return request(login, { method: 'POST', headers: { 'x-js-account': 'null', ...headers }, body })
}

function cookieOf(answer: Awaited<ReturnType<typeof signIn>>, name: string) {
  const found = answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
  return found?.split(';')[0] ?? ''
}

describe('session fixation:', () => {
  test('a sign-in does not use a session that an attacker planted in the browser', async () => {
    const attacker = await server.signInAs({ role: 'appUser' })
    const planted = /portcullis=[\w-]+/.exec(attacker.headers.cookie)?.[0] ?? ''
    const signedIn = await signIn({ headers: { cookie: planted } })
    expect(cookieOf(signedIn, 'portcullis')).not.toBe(planted)
    const stolen = await request(`${server.url}/api/users/me`, {
      method: 'GET',
      headers: { cookie: planted, 'x-js-account': 'null' },
    })
    expect([stolen.status, stolen.error.code]).toEqual([401, 'session_ended'])
  })

  test('an invented token is never accepted, even after a sign-in that sent it', async () => {
    const planted = `portcullis=${'A'.repeat(43)}`
    const signedIn = await signIn({ headers: { cookie: planted } })
    expect(cookieOf(signedIn, 'portcullis')).not.toBe(planted)
    const headers = { cookie: planted, 'x-js-account': 'null' }
    expect((await request(`${server.url}/api/users/me`, { method: 'GET', headers })).status).toBe(401)
  })

  test('a planted device cookie is invalid after the sign-in', async () => {
    const { email } = await server.signInAs({ role: 'appUser' })
    const attacker = await server.signInWithPassword(email)
    const planted = /portcullis-device=[\w-]+/.exec(attacker.headers.cookie)?.[0] ?? ''
    expect(planted).not.toBe('')
    const signedIn = await signIn({ headers: { cookie: planted } })
    expect(cookieOf(signedIn, 'portcullis-device')).not.toBe(planted)
    for (let tried = 0; tried < 10; tried += 1) await signIn({ body: { ...credentials, password: 'wrong' } })
    expect((await signIn({ headers: { cookie: planted } })).error.code).toBe('wrong_credentials')
    expect((await signIn({ headers: { cookie: cookieOf(signedIn, 'portcullis-device') } })).status).toBe(200)
  })
})

describe('forged requests:', () => {
  test.each(guarded.map(({ method, path }) => [method, path]))(
    '%s %s is refused without the header, and from a page of another origin',
    async (method, path) => {
      const url = `${server.url}${path.replace('{id}', server.userId).replace('{token}', 'A'.repeat(43))}`
      const { cookie } = server.headers
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} }
      const without = await request(url, { method, headers: { cookie }, ...body })
      expect([without.status, without.error.code]).toEqual([400, 'header_missing'])
      const headers = { cookie, 'x-js-account': 'main', origin: 'https://evil.example' }
      const crossOrigin = await request(url, { method, headers, ...body })
      expect([crossOrigin.status, crossOrigin.error.code]).toEqual([403, 'origin_refused'])
    },
  )

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a form cannot sign a user in (%s)',
    async (type) => {
      const answer = await signIn({ headers: { 'content-type': type }, body: JSON.stringify(credentials) })
      expect(answer.status).toBe(400)
      expect(answer.headers.getSetCookie()).toEqual([])
    },
  )
})

describe('invalid sign-ins are refused without a server error:', () => {
  test.each([
    ['a list', []],
    ['a list of credentials', [credentials]],
    ['a text', '"root"'],
    ['nothing', 'null'],
    ['a number', '7'],
    ['no JSON', '{email'],
    ['a key twice', `{"email":"${server.email}","email":"a@b.example","password":"x","type":"Local"}`],
    ['a prototype', `{"__proto__":{"hyper":true},"email":"a@b.example","password":"x"}`],
    ['an object for a text', { ...credentials, email: { eq: server.email } }],
    ['a list for a text', { ...credentials, password: [password] }],
    ['a Boolean for a text', { ...credentials, password: true }],
    ['an unknown field', { ...credentials, hyper: true }],
    ['deeply nested lists', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['deeply nested objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['a deeply nested password', `{"email":"a@b.example","password":${'['.repeat(9_000)}${']'.repeat(9_000)}}`],
    ['half an emoji', { ...credentials, password: '\ud83d' }],
    ['a very long email', { ...credentials, email: `${'a'.repeat(300)}@b.example` }],
    ['a line break', { ...credentials, email: 'root@portcullis.example\r\nX: y' }],
    ['a NUL in the email', { ...credentials, email: 'root\u0000@portcullis.example' }],
  ])('%s', async (_what, body) => {
    const { status, error } = await signIn({ body })
    expect([status, error.code]).toEqual([400, 'bad_request'])
    expect(error.message).not.toContain(password)
  })

  test('a key of 50,000 characters, which the answer does not repeat whole', async () => {
    const { status, error } = await signIn({ body: { ...credentials, ['x'.repeat(50_000)]: 1 } })
    expect([status, error.code]).toEqual([400, 'bad_request'])
    expect(JSON.stringify(error).length).toBeLessThan(2_000)
  })

  test('a megabyte and more', async () => {
    const { status, error } = await signIn({ body: { ...credentials, password: 'x'.repeat(2_000_000) } })
    expect([status, error.code]).toEqual([413, 'too_large'])
  })

  test.each([
    ['wide letters', 'ｒｏｏｔ@portcullis.example'],
    ['a letter of another script', 'rооt@portcullis.example'],
    ['a dotted capital I', 'ROOT@PORTCULLİS.example'],
    ['an invisible space', 'root\u200b@portcullis.example'],
    ['a space within', 'ro ot@portcullis.example'],
    ['a comment', 'root(x)@portcullis.example'],
    ['a second address', 'root@portcullis.example,a@b.example'],
    ['a trailing dot', 'root@portcullis.example.'],
  ])('an email that only looks like another: %s', async (_what, email) => {
    const { status, headers } = await signIn({ body: { ...credentials, email } })
    expect([400, 403]).toContain(status)
    expect(headers.getSetCookie()).toEqual([])
  })

  test('spaces around an email and capitals in it do not matter', async () => {
    const { status } = await signIn({ body: { ...credentials, email: `  ${server.email.toUpperCase()}\t` } })
    expect(status).toBe(200)
  })
})

describe('cookies and headers:', () => {
  test.each([
    'portcullis-device=x',
    `portcullis-device=${'A'.repeat(43)}`,
    `portcullis-device=${'A'.repeat(9_000)}`,
    'portcullis-device=%E0%A4%A',
    'portcullis-device=; portcullis-device=',
    `__Host-portcullis-device=${'é'.repeat(20)}`,
  ])('a browser is not known by "%s", and signs in all the same', async (cookie) => {
    expect((await signIn({ headers: { cookie: Buffer.from(cookie).toString('latin1') } })).status).toBe(200)
  })

  test('forged forwarding headers do not change the counted address', async () => {
    const { email } = await server.signInAs({ role: 'appUser' })
    for (let tried = 0; tried < 10; tried += 1) {
      const headers = { 'x-forwarded-for': `192.0.2.${tried}`, forwarded: `for=192.0.2.${tried}` }
      await signIn({ body: { email, password: 'wrong', type: 'Local' }, headers })
    }
    const headers = { 'x-forwarded-for': '192.0.2.99' }
    expect((await signIn({ body: { email, password, type: 'Local' }, headers })).error.code).toBe('wrong_credentials')
  })

  test('the address from a trusted proxy is used, and the one from the browser is not', async () => {
    const behind = await startOwnServer({ trustedProxies: ['127.0.0.1'] })
    const person = await behind.signInAs({ role: 'appUser' })
    const headers = { 'x-js-account': 'null', 'x-forwarded-for': '198.51.100.9, 192.0.2.7' }
    const body = { email: person.email, password, type: 'Local' }
    await request(`${behind.url}/api/auth/login`, { method: 'POST', headers, body })
    const filter = encodeURIComponent(JSON.stringify({ user: person.userId, type: 'administration.signed_in' }))
    const { items } = await behind.ask('GET', `/api/events?filter=${filter}`)
    expect(items.map(({ data }) => data)).toMatchObject([{ address: '192.0.2.7' }, { address: '127.0.0.1' }])
    await behind.stop()
  })

  test('a repeated header is refused', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const sent = plainRequest(
      login,
      { method: 'POST', headers: { 'content-type': 'application/json', 'x-js-account': ['null', 'main'] } },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    sent.once('error', reject)
    sent.end(JSON.stringify(credentials))
    expect(await promise).toBe(400)
  })
})

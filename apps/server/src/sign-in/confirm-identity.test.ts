import sql from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { forgetSteps, makeEnrolled, openBrowser } from '../mfa/test-authenticator.ts'
import { connectTestSocket } from '../test-socket.ts'
import { password, request, startOwnServer, startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const confirm = (browser: ReturnType<typeof openBrowser>, body: Record<string, unknown> = { password }) =>
  browser.ask('POST', '/api/auth/confirm', { body })
const change = (query: ReturnType<typeof sql>) => server.database.asSystem((tx) => tx.run(query))
const growOld = (person: string) =>
  change(sql`update session set session_confirmed_at = now() - interval '10 minutes' where session_person = ${person}`)
const isFresh = async (browser: ReturnType<typeof openBrowser>) => {
  const { error } = await browser.ask('GET', '/api/users/mfasetup')
  return error.code === '' ? 'fresh' : error.code
}

async function signedIn() {
  const { email, userId } = await server.signInAs({ role: 'admin' })
  const browser = openBrowser(server)
  await browser.signIn(email)
  return { email, userId, browser }
}

describe('§2 a fresh sign-in', () => {
  test('is one of the last ten minutes, or confirmed by the password in that time', async () => {
    const { userId, browser } = await signedIn()
    expect(await isFresh(browser)).toBe('fresh')
    await growOld(userId)
    expect(await isFresh(browser)).toBe('fresh_sign_in_needed')
    expect((await confirm(browser)).status).toBe(204)
    expect(await isFresh(browser)).toBe('fresh')
  })

  test('needs the right password, and ten wrong ones end the session', async () => {
    const { userId, browser } = await signedIn()
    await growOld(userId)
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await confirm(browser, { password: 'wrong' })).error.code).toBe('wrong_credentials')
    }
    expect((await confirm(browser)).error.code).toBe('session_ended')
    expect(await browser.status()).toBe('session_ended')
  })

  test('also needs a code for an enrolled user, and accepts a recovery code', async () => {
    const { userId, browser, authenticator, recoveryCodes } = await makeEnrolled(server)
    await growOld(userId)
    for (const code of [undefined, authenticator.wrongCode(), 'k7m2-x9qd-4rwt']) {
      expect((await confirm(browser, { password, ...(code ? { code } : {}) })).error.code).toBe('wrong_code')
    }
    expect(await isFresh(browser)).toBe('fresh_sign_in_needed')
    expect((await confirm(browser, { password, code: authenticator.code() })).status).toBe(204)
    await forgetSteps(server, userId)
    await growOld(userId)
    expect((await confirm(browser, { password, code: recoveryCodes[0] })).status).toBe(204)
  })

  test('does not replace the authenticator app that an account enforces, before the email is confirmed', async () => {
    const { email, userId } = await server.signInAs({ role: 'admin' })
    const { account } = await server.client.me()
    const enforce = (isOn: boolean) =>
      server.ask('POST', `/api/accounts/${account?._id}/enforceMFA`, { body: { enforce: isOn } })
    expect((await enforce(true)).status).toBe(200)
    onTestFinished(async () => void (await enforce(false)))
    await change(sql`update person set person_verified = false where person_id = ${userId}`)
    const browser = openBrowser(server)
    expect(await browser.signIn(email)).toMatchObject({ status: 200, verified: false })
    expect((await confirm(browser)).status).toBe(204)
    await change(sql`update person set person_verified = true where person_id = ${userId}`)
    expect(await browser.status()).toBe('code_owed')
  })

  test('does not use up a code with a wrong password', async () => {
    const { browser, authenticator } = await makeEnrolled(server)
    const code = authenticator.code()
    expect((await confirm(browser, { password: 'wrong', code })).error.code).toBe('wrong_credentials')
    expect((await confirm(browser, { password, code })).status).toBe(204)
  })
})

describe('§2 a new id at the step up', () => {
  test('does not give the confirmation to a client that knows the previous id', async () => {
    const { userId, browser } = await signedIn()
    await growOld(userId)
    const stolen = { 'x-js-account': 'null', cookie: browser.cookie }
    await confirm(browser)
    expect(browser.cookie).not.toBe(stolen.cookie)
    const ask = (path: string) => request(`${server.url}${path}`, { method: 'GET', headers: stolen })
    // Requests in flight may still use the previous id for 30 seconds.
    expect((await ask('/api/users/me')).status).toBe(200)
    expect((await ask('/api/users/mfasetup')).error.code).toBe('fresh_sign_in_needed')
    await change(sql`update session set session_previous_until = now() where session_person = ${userId}`)
    expect((await ask('/api/users/me')).error.code).toBe('session_ended')
    expect(await browser.status()).toBe(200)
  })

  test('keeps the session: its socket stays, and closes with the session', async () => {
    const { browser } = await signedIn()
    const connection = await connectTestSocket({ url: server.url, headers: { cookie: browser.cookie } })
    onTestFinished(connection.close)
    expect(await connection.join(`site:${server.account}:*`)).toBe('ok')
    await confirm(browser)
    expect(await connection.join(`door:${server.account}:*`)).toBe('ok')
    await browser.ask('POST', '/api/auth/logout')
    await expect.poll(connection.isConnected).toBe(false)
  })

  test('the previous id can also sign out', async () => {
    const { browser } = await signedIn()
    const before = { 'x-js-account': 'null', cookie: browser.cookie }
    await confirm(browser)
    await request(`${server.url}/api/auth/logout`, { method: 'POST', headers: before })
    expect(await browser.status()).toBe('session_ended')
  })
})

describe('§2 no user is given a session that another user knows', () => {
  test('a sign-in never keeps the cookie that came with it', async () => {
    const { email } = await signedIn()
    for (const planted of [`portcullis=${'A'.repeat(43)}`, `__Host-portcullis=${'A'.repeat(43)}`]) {
      const headers = { 'x-js-account': 'null', cookie: planted }
      const body = { email, password, type: 'Local' }
      const answer = await request(`${server.url}/api/auth/login`, { method: 'POST', headers, body })
      expect(answer.headers.getSetCookie()[0]).toMatch(/^portcullis=[\w-]{43};/)
      expect(answer.headers.getSetCookie()[0]).not.toContain('AAAAAAAA')
      expect((await request(`${server.url}/api/users/me`, { method: 'GET', headers })).status).toBe(401)
    }
  })

  test('a planted session of a stranger ends when a user signs in with its cookie', async () => {
    const [stranger, victim] = [await signedIn(), await server.signInAs({ role: 'admin' })]
    const headers = { 'x-js-account': 'null', cookie: stranger.browser.cookie }
    const body = { email: victim.email, password, type: 'Local' }
    await request(`${server.url}/api/auth/login`, { method: 'POST', headers, body })
    expect(await stranger.browser.status()).toBe('session_ended')
  })

  test('behind TLS only the host-bound cookie counts, which no other page can plant', async () => {
    const behind = await startOwnServer({ publicUrl: 'https://doors.example.com' })
    onTestFinished(behind.stop)
    const [, token = ''] = /__Host-portcullis=([\w-]{43})/.exec(behind.headers.cookie) ?? []
    const status = async (cookie: string) => {
      const headers = { 'x-js-account': 'null', cookie }
      return (await request(`${behind.url}/api/users/me`, { method: 'GET', headers })).status
    }
    expect(await status(`__Host-portcullis=${token}`)).toBe(200)
    expect(await status(`portcullis=${token}`)).toBe(401)
    await expect(connectTestSocket({ url: behind.url, headers: { cookie: `portcullis=${token}` } })).rejects.toThrow()
  })

  test('the id of a sign-in that owes a code is invalid once the code is given', async () => {
    const { email, authenticator } = await makeEnrolled(server)
    const browser = openBrowser(server)
    await browser.signIn(email)
    const planted = { 'x-js-account': 'null', cookie: browser.cookie }
    await browser.giveCode(authenticator.code())
    expect((await request(`${server.url}/api/users/me`, { method: 'GET', headers: planted })).status).toBe(401)
  })
})

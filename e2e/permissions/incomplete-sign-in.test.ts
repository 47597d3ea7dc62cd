import sql, { type Sql } from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Route, routesOf } from './document-routes.ts'
import { authenticatorWith, makeEnrolled, openBrowser } from '@portcullis/server/mfa/test-authenticator'
import { connectTestSocket } from '@portcullis/server/test-socket'
import { startOwnServer } from '@portcullis/server/test-server'

const server = await startOwnServer()
afterAll(server.stop)

const document = await server.ask('GET', '/api/openapi.json')
const closed = routesOf(document.json).filter(({ requires }) => requires !== 'none')
const change = (query: Sql) => server.database.asSystem((tx) => tx.run(query))

type Browser = ReturnType<typeof openBrowser>

/** The outcomes of all calls that need a session, except those listed, with the routes of each outcome. */
async function outcomes(browser: Browser, { except }: { except: readonly string[] }) {
  const tested = closed.filter(({ name }) => !except.includes(name))
  expect(tested.length).toBe(closed.length - except.length)
  expect(tested.length).toBeGreaterThan(100)
  const found = new Map<string, string[]>()
  for (const route of tested) {
    const outcome = await outcomeOf(browser, route)
    found.set(outcome, [...(found.get(outcome) ?? []), route.name])
  }
  return found
}

async function outcomeOf(browser: Browser, { method, path }: Route) {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {}
  const { status, error } = await browser.ask(method, path.replaceAll(/\{\w+\}/g, server.userId), { body })
  return `${status} ${error.code}`
}

describe('§2 before the one-time code is entered', () => {
  test('every call is refused except the one that accepts the code', async () => {
    const { email, authenticator } = await makeEnrolled(server)
    const browser = openBrowser(server)
    expect(await browser.signIn(email)).toMatchObject({ mfa: true, mfaEnrolled: true })
    const found = await outcomes(browser, { except: ['POST /api/auth/mfa'] })
    expect([...found.keys()], JSON.stringify([...found])).toEqual(['403 code_owed'])
    expect((await browser.giveCode(authenticator.code())).status).toBe(200)
    expect(await browser.status()).toBe(200)
  })

  test('a user who must set up an authenticator first can do it, and signs in with the same code', async () => {
    const { email, userId } = await server.signInAs({ role: 'admin' })
    const { account } = await server.client.me()
    const enforce = (isRequired: boolean) =>
      server.ask('POST', `/api/accounts/${account?._id}/enforceMFA`, { body: { enforce: isRequired } })
    expect((await enforce(true)).item['enforceMfa']).toBe(true)
    onTestFinished(async () => void (await enforce(false)))
    const browser = openBrowser(server)
    expect(await browser.signIn(email)).toMatchObject({ mfa: true, mfaEnrolled: false })
    const setUp = ['GET /api/users/mfasetup', 'POST /api/users/mfasetup']
    const found = await outcomes(browser, { except: ['POST /api/auth/mfa', ...setUp] })
    expect([...found.keys()], JSON.stringify([...found])).toEqual(['403 code_owed'])
    const code = authenticatorWith((await browser.setUp()).key).code()
    expect((await browser.giveCode(code)).error.code).toBe('wrong_code')
    expect(await browser.enrol(code)).toHaveLength(10)
    expect((await browser.ask('GET', '/api/users/mfasetup')).error.code).toBe('code_owed')
    expect((await browser.giveCode(code)).status).toBe(200)
    expect(await browser.status()).toBe(200)
    expect(await change(sql`select from session where session_person = ${userId} and session_owes_code`)).toBe(0)
  })

  test('signing out works', async () => {
    const { email } = await makeEnrolled(server)
    const browser = openBrowser(server)
    await browser.signIn(email)
    expect((await browser.ask('POST', '/api/auth/logout')).status).toBe(204)
    expect(await browser.status()).toBe('session_ended')
  })
})

describe('§4 a user with an unconfirmed email', () => {
  const served = [
    'GET /api/users/me',
    'POST /api/auth/activity',
    'POST /api/auth/confirm',
    'GET /api/users/{id}/verify',
    'POST /api/users/{id}/resendVerificationToken',
  ]

  async function unverified() {
    const { email, userId } = await server.signInAs({ role: 'admin' })
    await change(sql`update person set person_verified = false where person_id = ${userId}`)
    return { email, userId, browser: openBrowser(server) }
  }

  test('is signed in, and may call only the routes for confirming it', async () => {
    const { email, browser } = await unverified()
    expect(await browser.signIn(email)).toMatchObject({ status: 200, verified: false, mfa: false })
    const found = await outcomes(browser, { except: served })
    expect([...found.keys()], JSON.stringify([...found])).toEqual(['403 unverified'])
    expect((await browser.ask('GET', '/api/users/me')).json).toMatchObject({ user: { email, verified: false } })
    expect((await browser.ask('POST', '/api/auth/activity')).status).toBe(200)
    await expect(connectTestSocket({ url: server.url, headers: { cookie: browser.cookie } })).rejects.toThrow(
      'unverified',
    )
    expect((await browser.ask('POST', '/api/auth/logout')).status).toBe(204)
  })

  test('has full access in the same session as soon as it is confirmed', async () => {
    const { email, userId, browser } = await unverified()
    await browser.signIn(email)
    expect(await browser.status()).toBe(200)
    expect((await browser.ask('GET', '/api/sites')).error.code).toBe('unverified')
    await change(sql`update person set person_verified = true where person_id = ${userId}`)
    expect((await browser.ask('GET', '/api/sites')).status).toBe(200)
  })

  test('must still enter the one-time code after confirming it', async () => {
    const { email, userId } = await makeEnrolled(server)
    await change(sql`update person set person_verified = false where person_id = ${userId}`)
    const browser = openBrowser(server)
    expect(await browser.signIn(email)).toMatchObject({ verified: false, mfa: false })
    expect((await browser.ask('POST', '/api/auth/mfa', { body: { code: '123456' } })).error.code).toBe('unverified')
    await change(sql`update person set person_verified = true where person_id = ${userId}`)
    expect(await browser.status()).toBe('code_owed')
  })

  test('loses access despite cached rights when the email becomes unconfirmed', async () => {
    const { userId, ask } = await server.signInAs({ role: 'admin' })
    for (let times = 0; times < 3; times += 1) expect((await ask('GET', '/api/sites')).status).toBe(200)
    await change(sql`update person set person_verified = false where person_id = ${userId}`)
    for (const path of ['/api/users/me', '/api/sites']) {
      const { status, error } = await ask('GET', path)
      expect(error.code || status).toBe(path === '/api/sites' ? 'unverified' : 200)
    }
  })
})

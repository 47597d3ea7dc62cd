import { afterAll, describe, expect, test } from 'vitest'
import { startOwnServer } from '../test-server.ts'
import { authenticatorWith, openBrowser } from './test-authenticator.ts'

const production = await startOwnServer({ isProduction: true })
const development = await startOwnServer()
afterAll(async () => {
  await production.stop()
  await development.stop()
})

/** Sets up an authenticator app, and completes the sign-in that needs it. */
async function enrolIn(browser: ReturnType<typeof openBrowser>) {
  const authenticator = authenticatorWith((await browser.setUp()).key)
  await browser.enrol(authenticator.code())
  return browser.giveCode(authenticator.code())
}

describe('§4 in production a hyper user needs a second factor', () => {
  test('the first administrator sets it up at the first sign-in, and cannot turn it off', async () => {
    const browser = openBrowser(production)
    expect(await browser.signIn(production.email)).toMatchObject({ mfa: true, mfaEnrolled: false })
    expect(await browser.status()).toBe('code_owed')
    expect((await browser.ask('GET', '/api/sites')).error.code).toBe('code_owed')
    expect((await enrolIn(browser)).status).toBe(200)
    expect((await browser.ask('GET', '/api/users/me')).json).toMatchObject({ mfa: { enrolled: true, enforced: true } })
    expect((await browser.ask('POST', '/api/users/disablemfa')).error.code).toBe('mfa_enforced')
    expect(await openBrowser(production).signIn(production.email)).toMatchObject({ mfa: true, mfaEnrolled: true })
  })

  test('other users need none, unless their account enforces it', async () => {
    const { email } = await production.signInAs({ role: 'admin' })
    const browser = openBrowser(production)
    expect(await browser.signIn(email)).toMatchObject({ mfa: false })
    const answers = [await browser.ask('GET', '/api/users/me'), await browser.ask('GET', '/api/users/me')]
    // Rights are remembered from the first request, and the second is answered in another way.
    for (const { json } of answers) expect(json).toMatchObject({ mfa: { enforced: false } })
  })
})

test('elsewhere a hyper user decides about their own second factor', async () => {
  const browser = openBrowser(development)
  expect(await browser.signIn(development.email)).toMatchObject({ mfa: false })
  await enrolIn(browser)
  expect((await browser.ask('POST', '/api/users/disablemfa')).status).toBe(204)
  expect(await openBrowser(development).signIn(development.email)).toMatchObject({ mfa: false })
})

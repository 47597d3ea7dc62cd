import { signedInClient } from '@portcullis/client/signed-in-client'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { connectTestSocket } from '../test-socket.ts'
import { password, startOwnServer } from '../test-server.ts'
import { authenticatorWith, forgetSteps, makeEnrolled, openBrowser } from './test-authenticator.ts'

const server = await startOwnServer()
afterAll(server.stop)

const change = (query: ReturnType<typeof sql>) => server.database.asSystem((tx) => tx.run(query))
const endsOf = (person: string) =>
  server.database.asSystem((tx) =>
    tx.rows(
      z.object({ owes: z.boolean(), seconds: z.number() }),
      sql`select open_session_owes_code as owes, extract(epoch from open_session_ends_at - now())::float8 as seconds
            from open_session where open_session_person = ${person} order by open_session_ends_at`,
    ),
  )

describe('§4 MFA setup', () => {
  test('begins with a key to scan and to type, which is stored encrypted', async () => {
    const { email, userId } = await server.signInAs({ role: 'admin' })
    const browser = openBrowser(server)
    await browser.signIn(email)
    const { qrImage, key } = await browser.setUp()
    expect(qrImage).toMatch(/^data:image\/png;base64,/)
    expect(key).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
    const [row] = await server.database.asSystem((tx) =>
      tx.rows(
        z.object({ sealed: z.instanceof(Buffer) }),
        sql`select mfa_pending_key as sealed from mfa
        where mfa_person = ${userId}`,
      ),
    )
    expect(row?.sealed.length).toBe(12 + 20 + 16)
    expect(await me(browser)).toEqual({ enrolled: false, enabled: false, enforced: false, recoveryCodesLeft: 0 })
  })

  test('ends with a code of that key, and returns ten recovery codes', async () => {
    const { browser, recoveryCodes } = await makeEnrolled(server)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^([0-9a-z]{4}-){2}[0-9a-z]{4}$/)
    expect(await me(browser)).toEqual({ enrolled: true, enabled: true, enforced: false, recoveryCodesLeft: 10 })
  })

  test('refuses a wrong code, and a code of an earlier key', async () => {
    const { email } = await server.signInAs({ role: 'admin' })
    const browser = openBrowser(server)
    await browser.signIn(email)
    const [first, second] = [
      authenticatorWith((await browser.setUp()).key),
      authenticatorWith((await browser.setUp()).key),
    ]
    for (const code of [second.wrongCode(), first.code()]) {
      const { status, error } = await browser.ask('POST', '/api/users/mfasetup', { body: { code } })
      expect([status, error.code]).toEqual([403, 'wrong_code'])
    }
    expect((await browser.enrol(second.code())).length).toBe(10)
  })

  test('needs a fresh sign-in', async () => {
    const { browser, userId } = await makeEnrolled(server)
    await change(
      sql`update session set session_confirmed_at = now() - interval '10 minutes' where session_person = ${userId}`,
    )
    const answers = [
      await browser.ask('GET', '/api/users/mfasetup'),
      await browser.ask('POST', '/api/users/mfasetup', { body: { code: '123456' } }),
      await browser.ask('POST', '/api/users/recoveryCodes'),
      await browser.ask('POST', '/api/users/disablemfa'),
      await browser.ask('POST', '/api/users/enablemfa'),
      await browser.ask('POST', `/api/users/${userId}/mfaReset`),
    ]
    for (const { status, error } of answers) expect([status, error.code]).toEqual([403, 'fresh_sign_in_needed'])
  })

  test.each(['12345', '1234567', '12345a', ' 12345', '', null])('§5 accepts six digits, and not %j', async (code) => {
    const { browser } = await makeEnrolled(server)
    for (const path of ['/api/users/mfasetup', '/api/auth/mfa']) {
      expect((await browser.ask('POST', path, { body: { code } })).status).toBe(400)
    }
  })
})

describe('§4 MFA at the sign-in', () => {
  test('owes a code after the password, and replaces the session once the code is given', async () => {
    const { email, authenticator } = await makeEnrolled(server)
    const browser = openBrowser(server)
    expect(await browser.signIn(email)).toMatchObject({ status: 200, mfa: true, mfaEnrolled: true, verified: true })
    const owing = browser.cookie
    expect(await browser.status()).toBe('code_owed')
    const answer = await browser.giveCode(authenticator.code())
    expect([answer.status, answer.json]).toMatchObject([200, { mfa: false, currentUser: { email } }])
    expect(browser.cookie).not.toBe(owing)
    expect(await browser.status()).toBe(200)
    const headers = { cookie: owing, 'x-js-account': 'null' }
    expect((await fetch(`${server.url}/api/users/me`, { headers })).status).toBe(401)
  })

  test('lasts five minutes while the code is owed, regardless of activity, and twelve hours afterwards', async () => {
    const { email, userId, authenticator } = await makeEnrolled(server)
    await change(sql`update session set session_ended_at = now() where session_person = ${userId}`)
    const browser = openBrowser(server)
    await browser.signIn(email)
    const age = (interval: string) =>
      change(
        sql`update session set session_created_at = now() - ${interval}::interval where session_person = ${userId}`,
      )
    await age('4 minutes')
    const [owing] = await endsOf(userId)
    expect(owing?.owes).toBe(true)
    expect(owing?.seconds).toBeCloseTo(60, -2)
    expect(await browser.status()).toBe('code_owed')
    await age('5 minutes')
    expect(await browser.status()).toBe('session_ended')
    expect((await browser.giveCode(authenticator.code())).error.code).toBe('session_ended')
    await browser.signIn(email)
    expect((await browser.giveCode(authenticator.code())).status).toBe(200)
    expect((await endsOf(userId)).at(-1)?.owes).toBe(false)
  })

  test('accepts a code once, and no earlier one afterwards', async () => {
    const { email, userId, authenticator } = await makeEnrolled(server)
    const outcomes = []
    for (const code of [authenticator.code(), authenticator.code(), authenticator.code(-1)]) {
      const browser = openBrowser(server)
      await browser.signIn(email)
      const { status, error } = await browser.giveCode(code)
      outcomes.push(error.code || status)
    }
    // The next 30-second step may begin between the first and the second code, which then differ.
    expect(outcomes[0]).toBe(200)
    expect(outcomes.at(-1)).toBe('wrong_code')
    await forgetSteps(server, userId)
    const code = authenticator.code()
    const twice = [openBrowser(server), openBrowser(server)]
    const answers = []
    for (const browser of twice) {
      await browser.signIn(email)
      answers.push((await browser.giveCode(code)).status)
    }
    expect(answers).toEqual([200, 403])
  })

  test('the code that completed the setup works once for the sign-in that follows', async () => {
    const { email } = await server.signInAs({ role: 'admin' })
    const browser = openBrowser(server)
    await browser.signIn(email)
    const code = authenticatorWith((await browser.setUp()).key).code()
    await browser.enrol(code)
    const [first, second] = [openBrowser(server), openBrowser(server)]
    await first.signIn(email)
    await second.signIn(email)
    expect((await first.giveCode(code)).status).toBe(200)
    expect((await second.giveCode(code)).error.code).toBe('wrong_code')
  })

  test('the code of the setup stops working once another code is used', async () => {
    const { email } = await server.signInAs({ role: 'admin' })
    const browser = openBrowser(server)
    await browser.signIn(email)
    const authenticator = authenticatorWith((await browser.setUp()).key)
    const code = authenticator.code(-1)
    await browser.enrol(code)
    const [first, second] = [openBrowser(server), openBrowser(server)]
    await first.signIn(email)
    await second.signIn(email)
    expect((await first.giveCode(authenticator.code())).status).toBe(200)
    expect((await second.giveCode(code)).error.code).toBe('wrong_code')
  })

  test('a recovery code works once instead of a code, in any spelling', async () => {
    const { email, browser, recoveryCodes } = await makeEnrolled(server)
    const [code = '', other = ''] = recoveryCodes
    const typed = code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')
    const lost = openBrowser(server)
    await lost.signIn(email)
    expect((await lost.giveRecoveryCode(typed)).status).toBe(200)
    expect(await lost.status()).toBe(200)
    const again = openBrowser(server)
    await again.signIn(email)
    expect((await again.giveRecoveryCode(code)).error.code).toBe('wrong_code')
    expect((await again.giveRecoveryCode(other)).status).toBe(200)
    expect(await me(browser)).toMatchObject({ recoveryCodesLeft: 8 })
  })

  test('ten wrong codes end the session that owes a code', async () => {
    const { email, authenticator } = await makeEnrolled(server)
    const browser = openBrowser(server)
    await browser.signIn(email)
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await browser.giveCode(authenticator.wrongCode())).error.code).toBe('wrong_code')
    }
    expect((await browser.giveCode(authenticator.code())).error.code).toBe('session_ended')
    expect(await browser.status()).toBe('session_ended')
  })

  test('after twenty wrong codes of one user, in any sessions, codes are refused for an hour; a recovery code still works', async () => {
    const { email, userId, authenticator, recoveryCodes } = await makeEnrolled(server)
    let browser = openBrowser(server)
    for (let tries = 0; tries < 20; tries += 1) {
      if (tries % 8 === 0) browser = openBrowser(server)
      if (tries % 8 === 0) await browser.signIn(email)
      expect((await browser.giveCode(authenticator.wrongCode())).error.code).toBe('wrong_code')
    }
    const { status, error, headers } = await browser.giveCode(authenticator.code())
    expect([status, error.code]).toEqual([429, 'too_many'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect((await browser.giveCode(authenticator.code())).error.code).toBe('too_many')
    expect(await change(sql`select from mail where mail_person = ${userId} and mail_kind = 'codes_locked'`)).toBe(1)
    expect((await browser.giveRecoveryCode(recoveryCodes[0] ?? '')).status).toBe(200)
    await change(sql`update mfa set mfa_tries_since = now() - interval '1 hour 1 second' where mfa_person = ${userId}`)
    const later = openBrowser(server)
    await later.signIn(email)
    expect((await later.giveCode(authenticator.code())).status).toBe(200)
    const signIns = await server.database.asSystem((tx) =>
      tx.rows(
        z.object({ refusal: z.string().nullable() }),
        sql`select event_data ->> 'refusal' as refusal from event where event_user = ${userId}
              and event_type = 'administration.sign_in_failed' order by event_occurred_at`,
      ),
    )
    expect(new Set(signIns.map(({ refusal }) => refusal))).toEqual(new Set(['wrong_code', 'locked_out']))
  })

  test('records a sign-in once it is complete, and not before', async () => {
    const { email, userId, authenticator } = await makeEnrolled(server)
    const signIns = () =>
      change(sql`select from event where event_user = ${userId} and event_type = 'administration.signed_in'`)
    const before = await signIns()
    const browser = openBrowser(server)
    await browser.signIn(email)
    expect(await signIns()).toBe(before)
    await browser.giveCode(authenticator.code())
    expect(await signIns()).toBe(before + 1)
  })

  test('opens no real-time channel while the code is owed', async () => {
    const { email, authenticator } = await makeEnrolled(server)
    const browser = openBrowser(server)
    await browser.signIn(email)
    const connect = () => connectTestSocket({ url: server.url, headers: { cookie: browser.cookie } })
    await expect(connect()).rejects.toThrow('code_owed')
    await browser.giveCode(authenticator.code())
    const connection = await connect()
    expect(connection.isConnected()).toBe(true)
    connection.close()
  })
})
test('§2 a program signs in with a code where its user needs one, and gets an error without it', async () => {
  const { email, authenticator } = await makeEnrolled(server)
  const options = { baseUrl: server.url, email, password }
  await expect(signedInClient(options)).rejects.toMatchObject({ code: 'code_owed' })
  const { client } = await signedInClient({ ...options, code: () => authenticator.code() })
  expect((await client.me()).user.email).toBe(email)
  expect((await client.sessions.list()).filter(({ current }) => current)).toHaveLength(1)
})

async function me(browser: ReturnType<typeof openBrowser>) {
  const { json } = await browser.ask('GET', '/api/users/me')
  return z.object({ mfa: z.unknown() }).parse(json).mfa
}

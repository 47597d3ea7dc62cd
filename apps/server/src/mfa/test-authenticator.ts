import { Secret, TOTP } from 'otpauth'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { password, request, type TestServer } from '../test-server.ts'

/** An authenticator app that was given this key, as people type it. */
export function authenticatorWith(key: string) {
  const app = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
  return {
    /** The current code, or the one this many steps of 30 seconds later. */
    code: (steps = 0) => app.generate({ timestamp: Date.now() + steps * 30_000 }),
    /** A code that the app does not show within a minute of now. */
    wrongCode() {
      const near = [-2, -1, 0, 1, 2].map((steps) => app.generate({ timestamp: Date.now() + steps * 30_000 }))
      return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
    },
  }
}

const loggedIn = z.object({ mfa: z.boolean(), mfaEnrolled: z.boolean(), verified: z.boolean() })
const setUpAnswer = z.object({ key: z.string(), qrImage: z.string() })
const enrolled = z.object({ recoveryCodes: z.array(z.string()) })

/** A browser that signs in and keeps its cookie. */
export function openBrowser({ url }: Pick<TestServer, 'url'>) {
  let cookie = ''
  return {
    get cookie() {
      return cookie
    },
    ask,
    async signIn(email: string, fields: Record<string, unknown> = {}) {
      const body = { email, password, type: 'Local', ...fields }
      const { status, error, json } = await ask('POST', '/api/auth/login', { body })
      return { status, error, ...loggedIn.partial().parse(json) }
    },
    async setUp() {
      return setUpAnswer.parse((await ask('GET', '/api/users/mfasetup')).json)
    },
    async enrol(code: string) {
      return enrolled.parse((await ask('POST', '/api/users/mfasetup', { body: { code } })).json).recoveryCodes
    },
    giveCode: (code: string) => ask('POST', '/api/auth/mfa', { body: { code } }),
    giveRecoveryCode: (recoveryCode: string) => ask('POST', '/api/auth/mfa', { body: { recoveryCode } }),
    async status() {
      const { status, error } = await ask('GET', '/api/users/me')
      return error.code || status
    },
  }

  async function ask(method: string, path: string, { body }: { body?: unknown } = {}) {
    const headers = { 'x-js-account': 'null', ...(cookie ? { cookie } : {}) }
    const answer = await request(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    const set = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    const own = set.find((line) => /^(__Host-)?portcullis=./.test(line))
    if (own) cookie = own
    return answer
  }
}

/** A user with an enrolled authenticator app, and the signed-in browser in which they set it up. */
export async function makeEnrolled(server: TestServer, account = server.account) {
  const { email, userId } = await server.signInAs({ role: 'admin', account })
  const browser = openBrowser(server)
  await browser.signIn(email)
  const { key } = await browser.setUp()
  const authenticator = authenticatorWith(key)
  const recoveryCodes = await browser.enrol(authenticator.code())
  await forgetSteps(server, userId)
  return { email, userId, browser, authenticator, recoveryCodes }
}

/** Forgets which codes were used, so that the current one works again. */
export async function forgetSteps({ database }: Pick<TestServer, 'database'>, person: string) {
  await database.asSystem((tx) =>
    tx.run(sql`update mfa set mfa_last_step = 0, mfa_spare_step = null where mfa_person = ${person}`),
  )
}

import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startAnotherServer } from '../test-servers.ts'
import { openSession } from '../sessions/session-store.ts'
import { requestUntilFree, startOwnServer } from '../test-server.ts'
import { authenticatorWith, makeEnrolled, openBrowser } from './test-authenticator.ts'

const server = await startOwnServer()
afterAll(() => server.stop())

const parallelCalls = 50

type Race = { person: string; path: string; body: unknown; state: 'owes a code' | 'signed in' }

/** Makes the same call in 50 sessions at once, alternating between two servers. */
async function race({ person, path, body, state }: Race) {
  const other = await startAnotherServer(server.databaseUrl)
  const code = state === 'owes a code' ? 'owed' : 'none'
  const session = { person, address: '127.0.0.1', device: undefined, code } as const
  const tokens = await Promise.all(Array.from({ length: parallelCalls }, () => openSession(server.database, session)))
  const answers = await Promise.all(
    tokens.map((token, index) => {
      const headers = { 'x-js-account': 'null', cookie: `portcullis=${token}` }
      return requestUntilFree(`${index % 2 ? server.url : other.url}${path}`, { method: 'POST', headers, body })
    }),
  )
  return Map.groupBy(answers, ({ status, error }) => error.code || status)
}

/** More than 20 codes at once exceed the limit for one user, right or wrong. */
const successesOf = (outcomes: Map<unknown, unknown[]>) => {
  expect(['wrong_code', 'too_many', 200]).toEqual(expect.arrayContaining([...outcomes.keys()]))
  return outcomes.get(200)?.length
}

const countsOf = (outcomes: Map<string | number, unknown[]>): Record<string, number> =>
  Object.fromEntries([...outcomes].map(([outcome, all]) => [outcome, all.length]))

test('§4 MFA: of 50 parallel uses of one code on two servers one signs in', async () => {
  const { userId, authenticator } = await makeEnrolled(server)
  const outcomes = await race({
    person: userId,
    path: '/api/auth/mfa',
    body: { code: authenticator.code() },
    state: 'owes a code',
  })
  expect(successesOf(outcomes)).toBe(1)
  const signedIn = await server.database.asSystem((tx) =>
    tx.rows(
      z.object({ id: z.uuid() }),
      sql`select session_id as id from session where session_person = ${userId} and not session_owes_code
            and session_ended_at is null`,
    ),
  )
  // The other two are the sessions of the test setup and of the enrolment.
  expect(signedIn).toHaveLength(3)
})

test('§4 MFA: of 50 parallel uses of one recovery code on two servers one signs in', async () => {
  const { userId, recoveryCodes } = await makeEnrolled(server)
  const outcomes = await race({
    person: userId,
    path: '/api/auth/mfa',
    body: { recoveryCode: recoveryCodes[3] },
    state: 'owes a code',
  })
  expect(countsOf(outcomes)).toEqual({ 200: 1, wrong_code: parallelCalls - 1 })
})

test('§4 MFA: of 50 parallel uses of the code that completed the setup one signs in', async () => {
  const { email, userId } = await server.signInAs({ role: 'admin' })
  const browser = openBrowser(server)
  await browser.signIn(email)
  const code = authenticatorWith((await browser.setUp()).key).code()
  await browser.enrol(code)
  const outcomes = await race({ person: userId, path: '/api/auth/mfa', body: { code }, state: 'owes a code' })
  expect(successesOf(outcomes)).toBe(1)
})

test('§4 MFA: of 50 parallel completions of one setup on two servers one enrols, and only its recovery codes exist', async () => {
  const { email, userId } = await server.signInAs({ role: 'admin' })
  const browser = openBrowser(server)
  await browser.signIn(email)
  const code = authenticatorWith((await browser.setUp()).key).code()
  const outcomes = await race({ person: userId, path: '/api/users/mfasetup', body: { code }, state: 'signed in' })
  expect(countsOf(outcomes)).toEqual({ 200: 1, wrong_code: parallelCalls - 1 })
  const left = await server.database.asSystem((tx) =>
    tx.run(sql`select from recovery_code where recovery_code_person = ${userId}`),
  )
  expect(left).toBe(10)
})

test('§4 MFA: 50 parallel codes in one session count as at most ten attempts', async () => {
  const { email, userId, authenticator } = await makeEnrolled(server)
  const browser = openBrowser(server)
  await browser.signIn(email)
  const code = authenticator.wrongCode()
  const answers = await Promise.all(Array.from({ length: parallelCalls }, () => browser.giveCode(code)))
  const outcomes = Map.groupBy(answers, ({ status, error }) => error.code || status)
  expect(countsOf(outcomes)).toEqual({ wrong_code: 10, session_ended: parallelCalls - 10 })
  const [counted] = await server.database.asSystem((tx) =>
    tx.rows(z.object({ tries: z.int() }), sql`select mfa_tries as tries from mfa where mfa_person = ${userId}`),
  )
  expect(counted?.tries).toBe(10)
})

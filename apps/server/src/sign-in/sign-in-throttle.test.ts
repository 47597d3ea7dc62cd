import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startAnotherServer } from '../test-servers.ts'
import { password, request, startOwnServer, type TestServer } from '../test-server.ts'
import { pruneDevices } from '../sessions/known-device.ts'
import { beginAttempt, networkOf, pruneAttempts } from './sign-in-attempts.ts'

let server: TestServer

beforeAll(async () => {
  server = await startOwnServer()
})
afterAll(() => server.stop())
beforeEach(() => forgetTries())

type SignInOptions = { email: string; password?: string; cookie?: string; url?: string }

function signIn({ cookie, url = server.url, email, password: tried = password }: SignInOptions) {
  const headers = { 'x-js-account': 'null', ...(cookie ? { cookie } : {}) }
  return request(`${url}/api/auth/login`, { method: 'POST', headers, body: { email, password: tried, type: 'Local' } })
}

const wrong = (email: string, cookie?: string) => signIn({ email, password: 'wrong', ...(cookie ? { cookie } : {}) })
const words = ({ status, error: { code, message } }: Awaited<ReturnType<typeof signIn>>) => [status, code, message]

describe('§2 throttling:', () => {
  test('ten wrong passwords for one email block its network with the wrong-password answer, and a known browser still signs in', async () => {
    const person = await makeUser()
    for (let tried = 0; tried < 10; tried += 1) expect((await wrong(person.email)).status).toBe(403)
    const [right, unknown] = [await signIn({ email: person.email }), await wrong('nobody@portcullis.example')]
    expect(words(right)).toEqual(words(unknown))
    expect(right.headers.getSetCookie()).toEqual([])
    expect((await signIn({ email: person.email, cookie: deviceOf(person.headers.cookie) })).status).toBe(200)
  })

  test('a user signs in after the wait, and the right password clears the wrong ones', async () => {
    const person = await makeUser()
    for (let tried = 0; tried < 10; tried += 1) await wrong(person.email)
    await passTime('601 seconds')
    for (let round = 0; round < 3; round += 1) {
      for (let tried = 0; tried < 9; tried += 1) await wrong(person.email)
      expect((await signIn({ email: person.email })).status).toBe(200)
    }
  })

  test('the right password signs in ten browsers at once', async () => {
    const person = await makeUser()
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => signIn({ email: person.email })))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    }
  })

  test('retrying during the wait does not prolong it', async () => {
    const person = await makeUser()
    for (let tried = 0; tried < 10; tried += 1) await wrong(person.email)
    await passTime('9 minutes')
    for (let tried = 0; tried < 5; tried += 1) await wrong(person.email)
    await expect.poll(() => countOf()).toBe(30)
    await passTime('61 seconds')
    expect((await signIn({ email: person.email })).status).toBe(200)
  })

  test('a known browser that guesses is blocked too, with a wait time', async () => {
    const person = await makeUser()
    const cookie = deviceOf(person.headers.cookie)
    for (let tried = 0; tried < 10; tried += 1) expect((await wrong(person.email, cookie)).status).toBe(403)
    const { status, error, headers } = await signIn({ email: person.email, cookie })
    expect([status, error.code, headers.get('retry-after')]).toEqual([429, 'too_many', '600'])
  })

  test('a browser is known only for users who have signed in with it', async () => {
    const [one, other, third] = await Promise.all([1, 2, 3].map(makeUser))
    if (!one || !other || !third) throw new Error('three people')
    const shared = cookieOf(await signIn({ email: other.email, cookie: deviceOf(one.headers.cookie) }))
    for (const { email } of [one, other, third]) for (let tried = 0; tried < 10; tried += 1) await wrong(email)
    expect((await signIn({ email: third.email, cookie: shared })).status).toBe(403)
    const next = await signIn({ email: one.email, cookie: shared })
    expect(next.status).toBe(200)
    expect((await signIn({ email: other.email, cookie: cookieOf(next) })).status).toBe(200)
    expect((await signIn({ email: one.email, cookie: deviceOf(one.headers.cookie) })).status).toBe(403)
  })

  test('50 wrong passwords from one network block all its unknown browsers, for any email', async () => {
    const person = await makeUser()
    for (let tried = 0; tried < 50; tried += 1) await wrong(`guess-${tried}@portcullis.example`)
    for (const email of [person.email, 'nobody@portcullis.example']) {
      const { status, error } = await signIn({ email })
      expect([status, error.code]).toEqual([429, 'too_many'])
    }
    expect((await signIn({ email: person.email, cookie: deviceOf(person.headers.cookie) })).status).toBe(200)
  })

  test('the password is not checked where its network or browser is blocked', async () => {
    const person = await makeUser()
    const device = deviceOf(person.headers.cookie)
    // The check of this hash fails.
    await server.database.asSystem((tx) =>
      tx.run(sql`update person set person_password_hash = 'unreadable' where person_id = ${person.userId}`),
    )
    expect((await signIn({ email: person.email })).status).toBe(500)
    for (let tried = 0; tried < 10; tried += 1) expect((await wrong(person.email, device)).status).toBe(500)
    expect((await wrong(person.email, device)).status).toBe(429)
    for (let tried = 0; tried < 50; tried += 1) await wrong(`guess-${tried}@portcullis.example`)
    expect((await signIn({ email: person.email })).status).toBe(429)
  })

  test('strangers in many networks are blocked for one email, and its user still signs in', async () => {
    const person = await makeUser()
    for (let tried = 0; tried < 50; tried += 1) {
      await beginAttempt(server.database, { email: person.email, address: `192.0.2.${tried}`, knownDevice: undefined })
    }
    expect((await signIn({ email: person.email })).error.code).toBe('wrong_credentials')
    expect((await signIn({ email: person.email, cookie: deviceOf(person.headers.cookie) })).status).toBe(200)
  })

  test('50 parallel attempts on two servers count as at most ten', async () => {
    const other = await startAnotherServer(server.databaseUrl)
    const { email } = await makeUser()
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        signIn({ email, password: 'wrong', url: index % 2 ? other.url : server.url }),
      ),
    )
    // Some of the parallel requests may find no free connection.
    const codes = tries.map(({ error }) => error.code)
    expect(codes.filter((code) => code !== 'unavailable' && code !== 'wrong_credentials')).toEqual([])
    // Each checked password leaves three rows.
    await expect.poll(() => countOf()).toBeLessThanOrEqual(30)
  })

  test('only the right password reveals the state of a user', async () => {
    const people = await Promise.all([1, 2, 3].map(makeUser))
    const [suspended, unverified, throttled] = people.map(({ email }) => email)
    if (!suspended || !unverified || !throttled) throw new Error('three people')
    await server.database.asSystem(async (tx) => {
      await tx.run(sql`update membership set membership_status = 'suspended'
        where membership_user = (select person_id from person where person_email = ${suspended})`)
      await tx.run(sql`update person set person_verified = false where person_email = ${unverified}`)
    })
    for (let tried = 0; tried < 10; tried += 1) await wrong(throttled)
    const answers = [suspended, unverified, throttled, 'nobody@portcullis.example'].map((email) => wrong(email))
    const shown = (await Promise.all(answers)).map(words)
    expect(shown).toEqual(shown.map(() => [403, 'wrong_credentials', 'The email or password is incorrect.']))
    expect((await signIn({ email: suspended })).error.code).toBe('suspended')
    expect((await signIn({ email: unverified })).json).toMatchObject({ verified: false })
  })

  test('is stored in the database, so that it counts on other servers', async () => {
    const { email } = await makeUser()
    for (let tried = 0; tried < 10; tried += 1) await wrong(email)
    const another = await startAnotherServer(server.databaseUrl)
    expect((await signIn({ email, url: another.url })).error.code).toBe('wrong_credentials')
  })

  test('old attempts are deleted, and no email is stored', async () => {
    await wrong('somebody.secret@portcullis.example')
    const rows = await server.database.asSystem((tx) =>
      tx.rows(z.object({ key: z.string() }), sql`select sign_in_failure_key as key from sign_in_failure`),
    )
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toContain('secret')
    await pruneAttempts(server.database)
    expect(await countOf()).toBe(3)
    await passTime('1 hour')
    await pruneAttempts(server.database)
    expect(await countOf()).toBe(0)
  })
})

test('a browser unused for 400 days is forgotten', async () => {
  const person = await makeUser()
  const statusAfterFailures = async () => {
    await forgetTries()
    for (let tried = 0; tried < 10; tried += 1) await wrong(person.email)
    return (await signIn({ email: person.email, cookie: deviceOf(person.headers.cookie) })).status
  }
  const age = (interval: string) =>
    server.database.asSystem((tx) =>
      tx.run(sql`update known_device set known_device_used_at = now() - ${interval}::interval
        where known_device_person = ${person.userId}`),
    )
  await age('401 days')
  await pruneDevices(server.database)
  expect(await statusAfterFailures()).toBe(403)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('the address %s lies in the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

/** A user who has signed in with their password, in a browser that is known from then on. */
async function makeUser() {
  const { email } = await server.signInAs({ role: 'appUser' })
  return server.signInWithPassword(email)
}

function deviceOf(cookies: string) {
  return /portcullis-device=[\w-]+/.exec(cookies)?.[0] ?? ''
}

function cookieOf(answer: Awaited<ReturnType<typeof signIn>>) {
  return deviceOf(answer.headers.getSetCookie().join('; '))
}

function forgetTries() {
  return server.database.asSystem((tx) => tx.run(sql`delete from sign_in_failure`))
}

function passTime(interval: string) {
  return server.database.asSystem((tx) =>
    tx.run(sql`update sign_in_failure set sign_in_failure_at = sign_in_failure_at - ${interval}::interval`),
  )
}

async function countOf() {
  const counted = await server.database.asSystem((tx) =>
    tx.first(z.object({ count: z.number() }), sql`select count(*) as count from sign_in_failure`),
  )
  return counted?.count ?? 0
}

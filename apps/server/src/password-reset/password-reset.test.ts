import { request as requestRaw } from 'node:http'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, beforeAll, expect, test } from 'vitest'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { startAnotherServer } from '../test-servers.ts'
import { linkIn, openTestMailbox, type TestMailbox } from '../mail/test-mailbox.ts'
import { password as oldPassword, request, requestUntilFree, startOwnServer, type TestServer } from '../test-server.ts'
import { hashPassword } from '../passwords/password.ts'
import { setPassword } from '../passwords/set-password.ts'

let mailbox: TestMailbox
let server: TestServer

beforeAll(async () => {
  mailbox = await openTestMailbox()
  server = await startOwnServer({ smtpUrl: mailbox.url })
})
afterAll(async () => {
  await server.stop()
  await mailbox.close()
})
beforeEach(async () => {
  await server.database.asSystem((tx) => tx.run(sql`delete from password_reset`))
})

const newPassword = 'seven quiet lighthouses'
const subject = 'Reset your Portcullis password'

test('§7 forgot: the link in the email sets a new password, and all sessions of the user end', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const { userId, token } = await linkFor(person.email)
  expect(userId).toBe(person.userId)
  expect(await use({ userId, token })).toMatchObject({ status: 204 })
  expect((await person.ask('GET', '/api/users/me')).status).toBe(401)
  await expect(signIn(person.email, oldPassword)).rejects.toMatchObject({ code: 'wrong_credentials' })
  expect((await signIn(person.email, newPassword)).currentUser).toMatchObject({ email: person.email, verified: true })
})

test('§7 forgot: a new password does not verify the email of a user who never confirmed it', async () => {
  const person = await server.signInAs({ role: 'installer' })
  await server.database.asSystem((tx) =>
    tx.run(sql`update person set person_verified = false where person_id = ${person.userId}`),
  )
  await use(await linkFor(person.email))
  expect((await signIn(person.email, newPassword)).currentUser.verified).toBe(false)
})

test('§7 forgot: an unknown address gets the same answer as a known one, and no email is sent to it', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const unknown = await forgot('nobody@portcullis.example')
  const registered = await forgot(` ${person.email.toUpperCase()} `)
  expect([unknown.status, unknown.json]).toEqual([204, {}])
  expect([registered.status, registered.json]).toEqual([unknown.status, unknown.json])
  expect([...registered.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort())
  await mailbox.newest(person.email, { subject })
  expect(mailbox.sentTo('nobody@portcullis.example')).toEqual([])
})

test('§7 forgot: the answer does not wait for work that only a known address needs', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const locked = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const holder = server.database.asSystem(async (tx) => {
    await tx.run(sql`select 1 from person where person_id = ${person.userId} for update`)
    locked.resolve()
    await free.promise
  })
  await locked.promise
  expect((await forgot(person.email)).status).toBe(204)
  expect(mailbox.sentTo(person.email)).toEqual([])
  free.resolve()
  await holder
  await mailbox.newest(person.email, { subject })
})

test('§7 forgot: a forged Host header does not appear in the email', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const headers = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
    'x-js-account': 'null',
  }
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const url = new URL(`/api/users/forgot?email=${person.email}`, server.url)
  requestRaw(url, { headers }, (response) => {
    response.resume()
    resolve(response.statusCode)
  })
    .once('error', reject)
    .end()
  expect(await promise).toBe(204)
  const body = await mailbox.newest(person.email, { subject })
  expect(body).not.toContain('evil.example')
  expect(body).toContain(`${server.url}/authentication/password-reset/${person.userId}/`)
})

test('§7 forgot: a page of another origin cannot have an email sent', async () => {
  const path = '/api/users/forgot?email=root@portcullis.example'
  const withoutHeader = await request(`${server.url}${path}`, { method: 'GET' })
  expect([withoutHeader.status, withoutHeader.error.code]).toEqual([400, 'header_missing'])
  const headers = { 'x-js-account': 'null', origin: 'https://evil.example' }
  for (const method of ['GET', 'HEAD']) {
    expect((await request(`${server.url}${path}`, { method, headers })).status).toBe(403)
  }
})

test.each(['', '?email=nobody', '?email=a@b.example&email=c@d.example', '?email=a@b.example&name=x'])(
  '§7 forgot: the query "%s" is refused',
  async (query) => {
    const headers = { 'x-js-account': 'null' }
    expect((await request(`${server.url}/api/users/forgot${query}`, { method: 'GET', headers })).status).toBe(400)
  },
)

test('§7 forgot: a link that is older than an hour has ended', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const link = await linkFor(person.email)
  await age(person.userId, '59 minutes')
  expect(await use({ ...link, password: 'short' })).toMatchObject({ status: 400 })
  expect(await use({ ...link, password: person.email })).toMatchObject({ error: { code: 'weak_password' } })
  await age(person.userId, '1 minute')
  expect(await use(link)).toMatchObject({ status: 422, error: { code: 'link_ended' } })
})

test('§7 forgot: a newer link ends the older one, and a new password ends all links', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const older = await linkFor(person.email)
  const newer = await linkFor(person.email)
  expect(await use(older)).toMatchObject({ error: { code: 'link_ended' } })
  const hash = await hashPassword('set by an administrator')
  await server.database.asSystem((tx) => setPassword(tx, { person: person.userId, hash }))
  expect(await use(newer)).toMatchObject({ error: { code: 'link_ended' } })
  expect((await signIn(person.email, 'set by an administrator')).currentUser.email).toBe(person.email)
})

test('§7 forgot: a link works only for its owner, and a truncated link is reported like one that has ended', async () => {
  const [owner, other] = [await server.signInAs({ role: 'installer' }), await server.signInAs({ role: 'installer' })]
  const { token } = await linkFor(owner.email)
  const broken = [
    { userId: other.userId, token },
    { userId: owner.userId, token: token.slice(0, -3) },
    { userId: owner.userId, token: 'A'.repeat(43) },
    { userId: 'nobody', token },
  ]
  for (const link of broken) expect(await use(link)).toMatchObject({ status: 422, error: { code: 'link_ended' } })
  expect((await use({ userId: owner.userId, token })).status).toBe(204)
})

test('§5 password reset: a password has 12 to 1,024 characters', async () => {
  const person = await server.signInAs({ role: 'reportingUser' })
  const link = await linkFor(person.email)
  for (const password of ['eleven char', 'x'.repeat(1_025), '🔑🔑🔑🔑🔑🔑', 'seven quiet\u0000 lighthouses']) {
    expect(await use({ ...link, password })).toMatchObject({ status: 400, error: { fields: { password: /./ } } })
  }
  const longest = Array.from({ length: 1_024 }, (_, index) => String.fromCodePoint(97 + ((index * index) % 26))).join(
    '',
  )
  expect((await use({ ...link, password: longest })).status).toBe(204)
  expect((await signIn(person.email, longest)).currentUser.email).toBe(person.email)
})

test('§5 password reset: a password that is easy to guess is refused with advice, and the link stays valid', async () => {
  const person = await server.signInAs({ role: 'reportingUser' })
  const link = await linkFor(person.email)
  const easy = ['password1234', 'x'.repeat(100), 'a ReportingUser', person.email, person.email.split('@')[0] ?? '']
  for (const password of [...easy, 'portcullis2026!', 'qwertyuiop123']) {
    const { status, error } = await use({ ...link, password })
    expect([password, status, error.code]).toEqual([password, 422, 'weak_password'])
    expect(error.fields['password']).not.toBe('')
  }
  expect((await use(link)).status).toBe(204)
})

test('a new password is notified by email, and its browser becomes known', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const answer = await use(await linkFor(person.email))
  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^portcullis-device=[\w-]{43}; /)])
  await mailbox.newest(person.email, { subject: 'Your Portcullis password was changed' })
})

test('§7 forgot: of 50 uses of a link on two servers at the same time exactly one sets its password', async () => {
  const other = await startAnotherServer(server.databaseUrl, { smtpUrl: mailbox.url })
  const person = await server.signInAs({ role: 'installer' })
  const link = await linkFor(person.email)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      use({ ...link, password: `${newPassword} ${index}`, url: index % 2 === 0 ? server.url : other.url }),
    ),
  )
  const winners = answers.flatMap(({ status }, index) => (status === 204 ? [index] : []))
  expect(winners).toHaveLength(1)
  expect(answers.filter(({ error }) => error.code === 'link_ended')).toHaveLength(49)
  expect((await signIn(person.email, `${newPassword} ${winners[0]}`)).currentUser.email).toBe(person.email)
})

function forgot(email: string) {
  const query = `email=${encodeURIComponent(email)}`
  return request(`${server.url}/api/users/forgot?${query}`, { method: 'GET', headers: { 'x-js-account': 'null' } })
}

/** Requests a link and reads it from the email. */
async function linkFor(email: string) {
  const count = mailbox.sentTo(email, subject).length + 1
  await forgot(email)
  return linkIn(await mailbox.newest(email, { subject, count }))
}

type UseLinkInput = { userId: string; token: string; password?: string; url?: string }

function use({ userId, token, password = newPassword, url = server.url }: UseLinkInput) {
  const headers = { 'x-js-account': 'null' }
  return requestUntilFree(`${url}/api/users/${userId}/forgot/${token}`, { method: 'PUT', headers, body: { password } })
}

function signIn(email: string, password: string) {
  return signedInClient({ baseUrl: server.url, email, password })
}

/** Moves the times of a user's links into the past. */
function age(person: string, by: string) {
  return server.database.asSystem((tx) =>
    tx.run(sql`update password_reset set password_reset_created_at = password_reset_created_at - ${by}::interval,
      password_reset_expires_at = password_reset_expires_at - ${by}::interval where password_reset_person = ${person}`),
  )
}

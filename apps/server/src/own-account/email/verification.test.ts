import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeItem } from '../../collections/test-items.ts'
import { linkIn, openTestMailbox, type TestMailbox } from '../../mail/test-mailbox.ts'
import { startAnotherServer } from '../../test-servers.ts'
import { request, requestUntilFree, startOwnServer, type TestServer, type TestUser } from '../../test-server.ts'
import { hashPassword } from '../../passwords/password.ts'
import { setPassword } from '../../passwords/set-password.ts'

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
beforeEach(() => server.database.asSystem((tx) => tx.run(sql`delete from email_link`)))

const subject = 'Confirm your email address'

test.each(['GET', 'POST'])(
  '§7 verify: a user who has not confirmed their email requests the email by %s',
  async (method) => {
    const person = await unverified()
    expect((await person.ask('GET', '/api/sites')).error.code).toBe('unverified')
    expect((await send(person, method)).status).toBe(204)
    const link = await linkFor(person)
    expect(link.userId).toBe(person.userId)
    expect(await use(link)).toMatchObject({ status: 200, json: { outcome: 'verified' } })
    expect((await person.client.me()).user.verified).toBe(true)
    expect(await use(link)).toMatchObject({ status: 422, error: { code: 'link_ended' } })
  },
)

test('§7 verify: a link needs no session and belongs to one user, and a truncated link is reported like one that has ended', async () => {
  const [person, other] = [await unverified(), await unverified()]
  await send(person)
  const { userId, token } = await linkFor(person)
  const broken = [
    { userId: other.userId, token },
    { userId, token: token.slice(1) },
    { userId, token: 'A'.repeat(43) },
    { userId: 'me', token },
  ]
  for (const link of broken) expect(await use(link)).toMatchObject({ status: 422, error: { code: 'link_ended' } })
  expect((await person.client.me()).user.verified).toBe(false)
  expect((await use({ userId, token })).status).toBe(200)
})

test('§7 verify: a link ends with a newer link, after a day, and with a new password', async () => {
  const person = await unverified()
  await send(person)
  const older = await linkFor(person)
  await send(person)
  const newer = await linkFor(person, 2)
  expect((await use(older)).error.code).toBe('link_ended')
  await server.database.asSystem((tx) =>
    tx.run(sql`update email_link set email_link_expires_at = email_link_expires_at - interval '24 hours'
      where email_link_person = ${person.userId}`),
  )
  expect((await use(newer)).error.code).toBe('link_ended')
  await send(person)
  const third = await linkFor(person, 3)
  const hash = await hashPassword('set by an administrator')
  await server.database.asSystem((tx) => setPassword(tx, { person: person.userId, hash }))
  expect((await use(third)).error.code).toBe('link_ended')
})

test('§7 verify: of 50 uses of a link on two servers at the same time exactly one confirms', async () => {
  const other = await startAnotherServer(server.databaseUrl, { smtpUrl: mailbox.url })
  const person = await unverified()
  await send(person)
  const link = await linkFor(person)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => use(link, index % 2 === 0 ? server.url : other.url)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ error }) => error.code === 'link_ended')).toHaveLength(49)
})

test('§7 verify: opening the URL in a browser or sending it from a page of another origin confirms nothing', async () => {
  const person = await unverified()
  await send(person)
  const { userId, token } = await linkFor(person)
  const paths = [`/api/users/${userId}/verify/${token}`, `/api/users/${userId}/verify`]
  for (const path of paths) {
    for (const method of ['GET', 'HEAD']) {
      const headers = { ...person.headers }
      expect((await request(`${server.url}${path}`, { method, headers })).status).toBe(400)
      const crossOrigin = { ...headers, 'x-js-account': 'null', origin: 'https://evil.example' }
      expect((await request(`${server.url}${path}`, { method, headers: crossOrigin })).status).toBe(403)
    }
  }
  expect((await person.client.me()).user.verified).toBe(false)
  expect(mailbox.sentTo(person.email)).toHaveLength(1)
})

test('one user gets at most five emails in an hour, and must then wait', async () => {
  const person = await unverified()
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(person)))
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(5)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.map(({ error, headers }) => [error.code, headers.get('retry-after')])).toEqual([
    ['too_many', '3600'],
    ['too_many', '3600'],
    ['too_many', '3600'],
  ])
})

test('a confirmed email is not confirmed again', async () => {
  const person = await server.signInAs({ role: 'installer' })
  expect(await send(person)).toMatchObject({ status: 422, error: { code: 'email_confirmed' } })
})

test('§7 resendVerificationToken: a user who manages users can send it only to users of their account', async () => {
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'north' } })
  const [manager, reader] = [
    await server.signInAs({ role: 'accountManager' }),
    await server.signInAs({ role: 'appUser' }),
  ]
  const [person, stranger] = [await unverified(), await unverified('north')]
  const path = (id: string) => `/api/users/${id}/resendVerificationToken`
  expect((await manager.ask('POST', path(person.userId))).status).toBe(204)
  await mailbox.newest(person.email, { subject })
  for (const id of [stranger.userId, 'nobody', '00000000-0000-7000-8000-000000000000']) {
    expect(await manager.ask('POST', path(id))).toMatchObject({ status: 404, error: { code: 'not_found' } })
  }
  expect((await reader.ask('POST', path(person.userId))).status).toBe(403)
  // A user whose own sign-in is incomplete cannot send it to others.
  expect((await person.ask('POST', path(reader.userId))).error.code).toBe('unverified')
  expect(mailbox.sentTo(stranger.email)).toEqual([])
})

test('§7 resendVerificationToken: a user without a password is invited again, and the previous invitation ends', async () => {
  const { item } = await server.ask('POST', '/api/users', { body: { name: 'New', email: 'again@portcullis.example' } })
  const first = linkIn(await mailbox.newest('again@portcullis.example'))
  expect((await server.ask('POST', `/api/users/${item._id}/resendVerificationToken`)).status).toBe(204)
  const second = linkIn(await mailbox.newest('again@portcullis.example', { count: 2 }))
  const reset = ({ userId, token }: typeof first) =>
    request(`${server.url}/api/users/${userId}/forgot/${token}`, {
      method: 'PUT',
      headers: { 'x-js-account': 'null' },
      body: { password: 'seven quiet lighthouses' },
    })
  expect((await reset(first)).error.code).toBe('link_ended')
  expect((await reset(second)).status).toBe(204)
})

async function unverified(account = 'main') {
  const { email } = await server.signInAs({ role: 'admin', account })
  await server.database.asSystem((tx) =>
    tx.run(sql`update person set person_verified = false where person_email = ${email}`),
  )
  return server.signIn(email, account)
}

function send(person: TestUser, method = 'POST') {
  return person.ask(method, `/api/users/${person.userId}/${method === 'GET' ? 'verify' : 'resendVerificationToken'}`)
}

async function linkFor({ email }: TestUser, count = 1) {
  return linkIn(await mailbox.newest(email, { subject, count }))
}

function use({ userId, token }: { userId: string; token: string }, url = server.url) {
  return requestUntilFree(`${url}/api/users/${userId}/verify/${token}`, {
    method: 'GET',
    headers: { 'x-js-account': 'null' },
  })
}

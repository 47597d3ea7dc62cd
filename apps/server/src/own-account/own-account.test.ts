import { hash as argon2 } from '@node-rs/argon2'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { makeItem } from '../collections/test-items.ts'
import { linkIn, openTestMailbox, type TestMailbox } from '../mail/test-mailbox.ts'
import { password, request, startOwnServer, type TestServer, type TestUser } from '../test-server.ts'
import { hashPassword } from '../passwords/password.ts'
import { setPassword } from '../passwords/set-password.ts'

let mailbox: TestMailbox
let server: TestServer

beforeAll(async () => {
  mailbox = await openTestMailbox()
  server = await startOwnServer({ smtpUrl: mailbox.url })
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'north' } })
})
afterAll(async () => {
  await server.stop()
  await mailbox.close()
})

const newPassword = 'seven quiet lighthouses'

describe('§7 password:', () => {
  test('the new one replaces the old one, all other sessions end, and this session gets a new cookie', async () => {
    const person = await server.signInAs({ role: 'installer' })
    const elsewhere = await server.signIn(person.email, 'main')
    await forgot(person.email)
    const link = linkIn(await mailbox.newest(person.email, { subject: 'Reset' }))
    const answer = await change(person, { oldPassword: password, newPassword })
    expect(answer.status).toBe(204)
    expect((await elsewhere.ask('GET', '/api/users/me')).status).toBe(401)
    expect((await person.ask('GET', '/api/users/me')).status).toBe(401)
    const [cookie = ''] = answer.headers.getSetCookie()
    const me = await person.ask('GET', '/api/users/me', { headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect(me.status).toBe(200)
    await mailbox.newest(person.email, { subject: 'Your Portcullis password was changed' })
    await expect(signIn(person.email, password)).rejects.toMatchObject({ code: 'wrong_credentials' })
    expect((await signIn(person.email, newPassword)).currentUser._id).toBe(person.userId)
    expect((await reset(link)).error.code).toBe('link_ended')
    expect(await eventsOf(person.userId, 'password_changed')).toMatchObject([{ data: { address: '127.0.0.1' } }])
  })

  test('a wrong old one is refused, and ten of them end the session', async () => {
    const person = await server.signInAs({ role: 'installer' })
    for (let tried = 0; tried < 10; tried += 1) {
      const { status, error } = await change(person, { oldPassword: 'wrong', newPassword })
      expect([status, error.code]).toEqual([403, 'wrong_credentials'])
    }
    expect((await change(person, { oldPassword: password, newPassword })).status).toBe(401)
    expect((await person.ask('GET', '/api/users/me')).status).toBe(401)
  })

  test('one that is easy to guess is refused, with advice', async () => {
    const person = await server.signInAs({ role: 'installer' })
    for (const easy of ['password1234', 'aaaaaaaaaaaaaa', person.email, 'portcullis2026!']) {
      const { status, error } = await change(person, { oldPassword: password, newPassword: easy })
      expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'weak_password', ['newPassword']])
    }
    const { error } = await change(person, { oldPassword: password, newPassword: person.email })
    expect(error.fields['newPassword']).toContain('It is made of your own name or email.')
    expect((await change(person, { oldPassword: password, newPassword: 'too short' })).status).toBe(400)
    expect((await change(person, { oldPassword: password, newPassword: password })).error.code).toBe('same_password')
  })

  test('users of every role change only their own', async () => {
    const other = await server.signInAs({ role: 'appUser' })
    const path = `/api/users/${other.userId}/password`
    const answer = await server.ask('PUT', path, { body: { oldPassword: password, newPassword } })
    expect([answer.status, answer.error.code]).toEqual([403, 'others_password'])
    const own = await other.ask('PUT', path, { body: { oldPassword: password, newPassword } })
    expect(own.status).toBe(204)
  })

  test('the password is not checked in a session with 10 wrong ones, nor for the change of another user', async () => {
    const person = await server.signInAs({ role: 'appUser' })
    // The check of this hash fails.
    await server.database.asSystem((tx) =>
      tx.run(sql`update person set person_password_hash = 'unreadable' where person_id = ${person.userId}`),
    )
    const body = { oldPassword: password, newPassword }
    const others = await person.ask('PUT', `/api/users/${server.userId}/password`, { body })
    expect(others.error.code).toBe('others_password')
    for (let tried = 0; tried < 10; tried += 1) expect((await change(person, body)).error.code).toBe('internal')
    expect((await change(person, body)).error.code).toBe('session_ended')
  })

  test('of five changes at once one is made', async () => {
    const person = await server.signInAs({ role: 'installer' })
    const sessions = await Promise.all(Array.from({ length: 5 }, () => server.signIn(person.email, 'main')))
    const answers = await Promise.all(
      sessions.map((session, index) =>
        change(session, { oldPassword: password, newPassword: `${newPassword} ${index}` }),
      ),
    )
    const winners = answers.flatMap(({ status }, index) => (status === 204 ? [index] : []))
    expect(winners).toHaveLength(1)
    expect((await signIn(person.email, `${newPassword} ${winners[0]}`)).currentUser._id).toBe(person.userId)
  })

  test('a sign-in with the old one during the change opens no session', async () => {
    const person = await server.signInAs({ role: 'installer' })
    const locked = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    const hash = await hashPassword(newPassword)
    const changing = server.database.asSystem(async (tx) => {
      await tx.run(sql`select from person where person_id = ${person.userId} for update`)
      locked.resolve()
      await free.promise
      await setPassword(tx, { person: person.userId, hash })
    })
    await locked.promise
    const trying = signIn(person.email, password).then(
      () => 'signed in',
      (error: unknown) => z.object({ code: z.string() }).parse(error).code,
    )
    await expect.poll(() => waitingForLocks()).toBeGreaterThan(0)
    free.resolve()
    await changing
    expect(await trying).toBe('wrong_credentials')
    expect(await openSessionsOf(person.userId)).toBe(0)
  })

  test('accented letters match in composed and decomposed form, also with older hashes', async () => {
    const person = await server.signInAs({ role: 'installer' })
    const [composed, apart] = ['détour près du château'.normalize('NFC'), 'détour près du château'.normalize('NFD')]
    expect(apart).not.toBe(composed)
    expect((await change(person, { oldPassword: password, newPassword: apart })).status).toBe(204)
    for (const typed of [composed, apart]) {
      expect((await signIn(person.email, typed)).currentUser._id).toBe(person.userId)
    }
    const old = await argon2(apart, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    await server.database.asSystem((tx) =>
      tx.run(sql`update person set person_password_hash = ${old} where person_id = ${person.userId}`),
    )
    expect((await signIn(person.email, apart)).currentUser._id).toBe(person.userId)
  })

  test.each([
    ['no text', { oldPassword: 7, newPassword }, 'oldPassword'],
    ['nothing new', { oldPassword: password }, 'newPassword'],
    ['a NUL', { oldPassword: password, newPassword: `${newPassword}\u0000` }, 'newPassword'],
    ['half an emoji', { oldPassword: password, newPassword: `${newPassword}\ud83d` }, 'newPassword'],
    ['a novel', { oldPassword: 'x'.repeat(1_025), newPassword }, 'oldPassword'],
    ['an unknown field', { oldPassword: password, newPassword, hyper: true }, 'hyper'],
  ])('names the invalid field: %s', async (_what, body, field) => {
    const { status, error } = await server.ask('PUT', '/api/users/me/password', { body })
    expect([status, Object.keys(error.fields)]).toEqual([400, [field]])
  })

  test('emoji and 1,024 characters are a password', async () => {
    const person = await server.signInAs({ role: 'installer' })
    const long = `🔑 ${'lighthouse ferry quiet harbour '.repeat(33)}`.slice(0, 1_023)
    expect((await change(person, { oldPassword: password, newPassword: long })).status).toBe(204)
    expect((await signIn(person.email, long)).currentUser._id).toBe(person.userId)
  })
})

describe('§4 consent:', () => {
  const long = '1999-01-01T00:00:00.000Z'

  test('policies are accepted now, whatever date is sent, and unnamed ones stay unchanged', async () => {
    const person = await server.signInAs({ role: 'appUser' })
    expect((await person.client.me()).user.consent).toEqual({})
    const before = Date.now()
    const { user, account } = await person.client.patchMe({ consent: { eula: long, terms: long } })
    expect(Object.keys(user.consent).toSorted()).toEqual(['eula', 'terms'])
    for (const at of Object.values(user.consent)) expect(Date.parse(at)).toBeGreaterThanOrEqual(before)
    expect([user.accounts[0]?.ref, account?.ref]).toEqual(['main', 'main'])
    const whole = await person.client.patchMe({ consent: { eula: long, privacy: long, terms: long, disclaimer: long } })
    expect(Object.keys(whole.user.consent).toSorted()).toEqual(['disclaimer', 'eula', 'privacy', 'terms'])
  })

  test.each([
    ['an unknown policy', { consent: { cookies: long } }],
    ['no date', { consent: { eula: 'yes' } }],
    ['another right', { hyper: false }],
    ['another role', { role: 'installer' }],
    ['no name', { name: '  ' }],
    ['a list', []],
  ])('refuses %s', async (_what, body) => {
    expect((await server.ask('PATCH', '/api/users/me', { body })).status).toBe(400)
  })

  test('a user without access to the account of the header changes nothing', async () => {
    const person = await server.signInAs({ role: 'appUser', account: 'north' })
    const refused = await person.in('main')('PATCH', '/api/users/me', { body: { name: 'Another name' } })
    expect([refused.status, refused.error.code]).toEqual([403, 'account_refused'])
    expect((await person.client.me()).user.name).toBe('A appUser')
  })
})

test('§7 me: the current user is saved as it was read, with a change, and accepts no policy again', async () => {
  const person = await server.signInAs({ role: 'appUser' })
  const { user } = await person.client.patchMe({ consent: { eula: '1999-01-01T00:00:00.000Z' } })
  const saved = await person.ask('PATCH', '/api/users/me', { body: { ...user, name: 'Thandi Mokoena' } })
  expect([saved.status, saved.json]).toEqual([200, (await person.ask('GET', '/api/users/me')).json])
  expect(saved.json).toMatchObject({ user: { ...user, name: 'Thandi Mokoena' } })
  const refused = await person.ask('PATCH', '/api/users/me', { body: { ...user, idleTime: 900, name: 'Other' } })
  expect([refused.status, Object.keys(refused.error.fields)]).toEqual([400, ['idleTime']])
  expect((await person.client.me()).user.name).toBe('Thandi Mokoena')
})

test('§7 me: users change their own name, and the audit log of their home account records it', async () => {
  const person = await server.signInAs({ role: 'appUser', account: 'north' })
  const { user } = await person.client.patchMe({ name: ' Thandi Mokoena ' })
  expect(user.name).toBe('Thandi Mokoena')
  const filter = encodeURIComponent(JSON.stringify({ item: person.userId }))
  const { items } = await server.in('north')('GET', `/api/auditLogs?filter=${filter}`)
  expect(items[0]).toMatchObject({
    actor: person.userId,
    before: { name: 'A appUser' },
    after: { name: 'Thandi Mokoena' },
  })
})

async function countOf(query: ReturnType<typeof sql>) {
  const found = await server.database.asSystem((tx) => tx.first(z.object({ count: z.number() }), query))
  return found?.count ?? 0
}

function waitingForLocks() {
  return countOf(sql`select count(*) as count from pg_locks where not granted`)
}

function openSessionsOf(person: string) {
  return countOf(
    sql`select count(*) as count from session where session_person = ${person} and session_ended_at is null`,
  )
}

async function eventsOf(user: string, what: string) {
  const filter = encodeURIComponent(JSON.stringify({ user, type: `administration.${what}` }))
  return (await server.ask('GET', `/api/events?filter=${filter}`)).items
}

function change({ ask }: Pick<TestUser, 'ask'>, body: { oldPassword: string; newPassword: string }) {
  return ask('PUT', '/api/users/me/password', { body })
}

function signIn(email: string, typed: string) {
  return signedInClient({ baseUrl: server.url, email, password: typed })
}

function forgot(email: string) {
  return request(`${server.url}/api/users/forgot?email=${email}`, {
    method: 'GET',
    headers: { 'x-js-account': 'null' },
  })
}

function reset({ userId, token }: { userId: string; token: string }) {
  const headers = { 'x-js-account': 'null' }
  const path = `/api/users/${userId}/forgot/${token}`
  return request(`${server.url}${path}`, { method: 'PUT', headers, body: { password: 'nine slow green ferries' } })
}

import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { makeItem } from '../../collections/test-items.ts'
import { linkIn, openTestMailbox, type TestMailbox } from '../../mail/test-mailbox.ts'
import { startAnotherServer } from '../../test-servers.ts'
import { password, request, startOwnServer, type TestServer, type TestUser } from '../../test-server.ts'
import { hashPassword } from '../../passwords/password.ts'
import { setPassword } from '../../passwords/set-password.ts'

let mailbox: TestMailbox
let server: TestServer
let number = 0

beforeAll(async () => {
  mailbox = await openTestMailbox()
  server = await startOwnServer({ smtpUrl: mailbox.url })
})
afterAll(async () => {
  await server.stop()
  await mailbox.close()
})
beforeEach(() => server.database.asSystem((tx) => tx.run(sql`delete from email_link`)))

const path = '/api/users/me/email'
const outcome = (of: string) => ({ status: 200, json: { outcome: of } })
const ended = { status: 422, error: { code: 'link_ended' } }

test('§6 email: the change is made once both addresses have confirmed, in any order, and both are notified', async () => {
  for (const order of ['old first', 'new first']) {
    const person = await server.signInAs({ role: 'installer' })
    const email = fresh()
    expect((await ask(person, ` ${email.toUpperCase()} `)).status).toBe(204)
    const { old, next } = await links(person, email)
    expect(await person.client.ownAccount.pendingEmail()).toMatchObject({
      email,
      oldConfirmed: false,
      newConfirmed: false,
    })
    const [first, second] = order === 'old first' ? [old, next] : [next, old]
    expect(await use(first)).toMatchObject(outcome('change_waits_for_other_address'))
    expect(await person.client.ownAccount.pendingEmail()).toMatchObject({
      oldConfirmed: order === 'old first',
      newConfirmed: order === 'new first',
    })
    expect((await person.client.me()).user.email).toBe(person.email)
    expect(await use(second)).toMatchObject(outcome('changed'))
    expect((await person.client.me()).user).toMatchObject({ email, verified: true })
    expect(await person.client.ownAccount.pendingEmail()).toBe(null)
    for (const address of [person.email, email]) {
      await mailbox.newest(address, { subject: 'Your Portcullis email address was changed' })
    }
    expect((await signedInClient({ baseUrl: server.url, email, password })).currentUser._id).toBe(person.userId)
    await expect(signedInClient({ baseUrl: server.url, email: person.email, password })).rejects.toThrow()
    for (const link of [old, next]) expect(await use(link)).toMatchObject(ended)
  }
})

test('§6 email: after the change, the previous address cannot answer an invitation, and the user still can', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const ref = 'invites-by-link'
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref, name: ref } })
  await makeItem({ ask: server.in(ref), collection: 'users', fields: { email: person.email } })
  const body = await mailbox.newest(person.email, { subject: 'Invitation to another account' })
  const token = /invitation#([\w-]{43})/.exec(body)?.[1]
  const read = () => server.ask('POST', '/api/invitation', { body: { token } })
  expect(await read()).toMatchObject({ status: 200, json: { account: ref } })
  const email = fresh()
  await ask(person, email)
  const { old, next } = await links(person, email)
  await use(old)
  await use(next)
  expect(await read()).toMatchObject(ended)
  expect((await person.in('null')('GET', '/api/users/me/invitations')).items).toMatchObject([{ account: ref }])
})

test('§6 email: the change appears in the audit log of the home account', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const email = fresh()
  await ask(person, email)
  const { old, next } = await links(person, email)
  await use(old)
  await use(next)
  const filter = encodeURIComponent(JSON.stringify({ item: person.userId, action: 'patch' }))
  const { items } = await server.ask('GET', `/api/auditLogs?filter=${filter}`)
  expect(items[0]).toMatchObject({
    collection: 'users',
    actor: person.userId,
    before: { email: person.email },
    after: { email },
  })
  const emailChanges = encodeURIComponent(JSON.stringify({ user: person.userId, type: 'administration.email_changed' }))
  expect((await server.ask('GET', `/api/events?filter=${emailChanges}`)).items).toMatchObject([
    { data: { address: '127.0.0.1' } },
  ])
})

test('§6 email: it needs a fresh sign-in', async () => {
  const person = await server.signInAs({ role: 'installer' })
  await server.database.asSystem((tx) =>
    tx.run(sql`update session set session_confirmed_at = now() - interval '11 minutes'
      where session_person = ${person.userId}`),
  )
  expect((await ask(person, fresh())).error.code).toBe('fresh_sign_in_needed')
  expect((await person.ask('POST', '/api/auth/confirm', { body: { password } })).status).toBe(204)
  const again = await server.signIn(person.email, 'main')
  expect((await ask(again, fresh())).status).toBe(204)
})

test('§6 email: an address of another user is not revealed, and that user gets no email', async () => {
  const [person, other] = [await server.signInAs({ role: 'installer' }), await server.signInAs({ role: 'installer' })]
  const taken = await ask(person, other.email)
  const pending = await person.client.ownAccount.pendingEmail()
  await mailbox.newest(person.email)
  const free = await ask(person, fresh())
  expect([taken.status, taken.json]).toEqual([free.status, free.json])
  expect(pending).toMatchObject({ email: other.email, newConfirmed: false })
  await mailbox.newest(person.email, { count: 2 })
  expect(mailbox.sentTo(other.email)).toEqual([])
})

test('§6 email: of two users who confirm the same address at once, on two servers, one gets it', async () => {
  const another = await startAnotherServer(server.databaseUrl, { smtpUrl: mailbox.url })
  const [one, other] = [await server.signInAs({ role: 'installer' }), await server.signInAs({ role: 'installer' })]
  const email = fresh()
  const last: { userId: string; token: string }[] = []
  for (const [index, person] of [one, other].entries()) {
    await ask(person, email)
    const old = linkIn(await mailbox.newest(person.email, { subject: 'Confirm your email address change' }))
    last.push(linkIn(await mailbox.newest(email, { subject: 'Confirm your new email', count: index + 1 })))
    await use(old)
  }
  const answers = await Promise.all(last.map((link, index) => use(link, index === 0 ? server.url : another.url)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.error.code).toBe('taken')
  const emails = await Promise.all([one, other].map(async ({ client }) => (await client.me()).user.email))
  expect(emails.filter((each) => each === email)).toHaveLength(1)
})

test('§6 email: a change that is cancelled, replaced, expired or followed by a new password is not made', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const ends: (() => Promise<unknown>)[] = [
    () => person.client.ownAccount.takeBackEmail(),
    () => ask(person, fresh()),
    () =>
      server.database.asSystem((tx) =>
        tx.run(
          sql`update email_change set email_change_expires_at = now() where email_change_person = ${person.userId}`,
        ),
      ),
    async () => {
      const hash = await hashPassword(password)
      await server.database.asSystem((tx) => setPassword(tx, { person: person.userId, hash }))
    },
  ]
  let count = 0
  for (const end of ends) {
    const email = fresh()
    await ask(person, email)
    count += 1
    const old = linkIn(await mailbox.newest(person.email, { subject: 'Confirm your email address change', count }))
    const next = linkIn(await mailbox.newest(email))
    await end()
    if (end === ends[1]) count += 1
    for (const link of [old, next]) expect(await use(link)).toMatchObject(ended)
  }
})

test('§6 email: a password reset link ends once its address no longer belongs to the user', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const email = fresh()
  await request(`${server.url}/api/users/forgot?email=${person.email}`, {
    method: 'GET',
    headers: { 'x-js-account': 'null' },
  })
  const { userId, token } = linkIn(await mailbox.newest(person.email, { subject: 'Reset' }))
  await ask(person, email)
  const { old, next } = await links(person, email)
  await use(old)
  await use(next)
  const answer = await request(`${server.url}/api/users/${userId}/forgot/${token}`, {
    method: 'PUT',
    headers: { 'x-js-account': 'null' },
    body: { password: 'seven quiet lighthouses' },
  })
  expect(answer.error.code).toBe('link_ended')
})

test.each([
  ['no address', 'nobody'],
  ['a list', ['a@b.example']],
  ['nothing', undefined],
  ['a novel', `${'a'.repeat(250)}@b.example`],
  ['two addresses', 'a@b.example, c@d.example'],
  ['a line of a header', 'a@b.example\r\nBcc: c@d.example'],
])('§6 email: %s is refused', async (_what, email) => {
  const { status, error } = await server.ask('POST', path, { body: { email } })
  expect([status, Object.keys(error.fields)]).toEqual([400, ['email']])
})

test('§6 email: the current address is refused', async () => {
  expect(await ask(server, server.email)).toMatchObject({ status: 422, error: { code: 'same_email' } })
})

function fresh() {
  number += 1
  return `fresh-${number}@portcullis.example`
}

function ask({ ask: send }: Pick<TestUser, 'ask'>, email: string) {
  return send('POST', path, { body: { email } })
}

async function links({ email: address }: TestUser, email: string) {
  const old = await mailbox.newest(address, { subject: 'Confirm your email address change' })
  return { old: linkIn(old), next: linkIn(await mailbox.newest(email, { subject: 'Confirm your new email' })) }
}

function use({ userId, token }: { userId: string; token: string }, url = server.url) {
  return request(`${url}/api/users/${userId}/verify/${token}`, { method: 'GET', headers: { 'x-js-account': 'null' } })
}

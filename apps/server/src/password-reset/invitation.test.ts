import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { makeItem } from '../collections/test-items.ts'
import { linkIn, openTestMailbox, type TestMailbox } from '../mail/test-mailbox.ts'
import { request, startOwnServer, type TestServer } from '../test-server.ts'
import { hashPassword } from '../passwords/password.ts'
import { hashOfToken, makeToken } from '../sessions/token.ts'

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

const password = 'seven quiet lighthouses'

test('§2 a user created with an email gets an invitation, whose link sets a password and confirms the email', async () => {
  const email = 'siobhan@portcullis.example'
  const { item } = await server.ask('POST', '/api/users', { body: { name: "Siobhán O'Reilly", email } })
  const body = await mailbox.newest(email, { subject: 'Your access to Portcullis' })
  expect(body).toContain('Main account has given you access to Portcullis.')
  const link = linkIn(body)
  expect(link.userId).toBe(item._id)
  expect((await use(link)).status).toBe(204)
  expect((await use(link)).error.code).toBe('link_ended')
  const { currentUser } = await signedInClient({ baseUrl: server.url, email, password })
  expect(currentUser).toMatchObject({ _id: item._id, verified: true })
  expect(mailbox.sentTo(email)).toHaveLength(1)
})

test('a user without an email, or who is suspended, is not invited', async () => {
  await server.ask('POST', '/api/users', { body: { name: 'Without' } })
  const gone = 'gone@portcullis.example'
  await server.ask('POST', '/api/users', { body: { name: 'Suspended', email: gone, status: 'suspended' } })
  await server.ask('POST', '/api/users', { body: { name: 'Last', email: 'last@portcullis.example' } })
  await mailbox.newest('last@portcullis.example')
  expect(mailbox.sentTo(gone)).toEqual([])
})

test('a user who could not be created is not invited', async () => {
  const email = 'twice@portcullis.example'
  expect((await server.ask('POST', '/api/users', { body: { name: 'One', email } })).status).toBe(201)
  expect((await server.ask('POST', '/api/users', { body: { name: 'Other', email } })).status).toBe(409)
  await mailbox.newest(email)
  expect(mailbox.sentTo(email)).toHaveLength(1)
})

test('an invitation is invalid once there is a password, and ends after a week', async () => {
  const email = 'slow@portcullis.example'
  const { item } = await server.ask('POST', '/api/users', { body: { name: 'Slow', email } })
  const link = linkIn(await mailbox.newest(email))
  await expire(item._id, '6 days 23 hours')
  expect((await use(link, 'password1234')).error.code).toBe('weak_password')
  await expire(item._id, '1 hour')
  expect((await use(link)).error.code).toBe('link_ended')

  const token = makeToken()
  const hash = await hashPassword('a password of their own')
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`update person set person_password_hash = ${hash} where person_id = ${item._id}`)
    await tx.run(sql`insert into password_reset (password_reset_token_hash, password_reset_person,
        password_reset_invites, password_reset_expires_at)
      values (${hashOfToken(token)}, ${item._id}, true, now() + interval '1 hour')`)
  })
  expect((await use({ userId: item._id, token })).error.code).toBe('link_ended')
})

test('§7 forgot: an invited user without a password gets a link that also confirms the email', async () => {
  const email = 'impatient@portcullis.example'
  await server.ask('POST', '/api/users', { body: { name: 'Impatient', email } })
  await mailbox.newest(email)
  const query = `?email=${encodeURIComponent(email)}`
  await request(`${server.url}/api/users/forgot${query}`, { method: 'GET', headers: { 'x-js-account': 'null' } })
  const link = linkIn(await mailbox.newest(email, { count: 2 }))
  expect((await use(link)).status).toBe(204)
  const { currentUser } = await signedInClient({ baseUrl: server.url, email, password })
  expect(currentUser.verified).toBe(true)
})

test('the database role for requests cannot read links and emails, and inserts only invitations of its own users', async () => {
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'north' } })
  const main = await server.keyOf('main')
  const inMain = (query: ReturnType<typeof sql>) => server.database.inAccounts([main], (tx) => tx.run(query))
  for (const table of ['mail', 'password_reset', 'email_link', 'email_change', 'known_device', 'sign_in_failure']) {
    await expect(inMain(sql`select from ${raw(table)}`)).rejects.toThrow('denied')
  }
  const { item: stranger } = await server.in('north')('POST', '/api/users', { body: { name: 'Stranger' } })
  const { item: own } = await server.ask('POST', '/api/users', { body: { name: 'Own' } })
  const insert = (person: string, invites: boolean) => sql`
    insert into password_reset (password_reset_token_hash, password_reset_person, password_reset_invites,
        password_reset_expires_at)
      values (${hashOfToken(makeToken())}, ${person}, ${invites}, now() + interval '1 hour')`
  await expect(inMain(insert(own._id, false))).rejects.toThrow('row-level security')
  await expect(inMain(insert(stranger._id, true))).rejects.toThrow('row-level security')
  expect(await inMain(insert(own._id, true))).toBe(1)
})

function use({ userId, token }: { userId: string; token: string }, chosen = password) {
  const headers = { 'x-js-account': 'null' }
  return request(`${server.url}/api/users/${userId}/forgot/${token}`, {
    method: 'PUT',
    headers,
    body: { password: chosen },
  })
}

function expire(person: string, by: string) {
  return server.database.asSystem((tx) =>
    tx.run(sql`update password_reset set password_reset_expires_at = password_reset_expires_at - ${by}::interval
      where password_reset_person = ${person}`),
  )
}

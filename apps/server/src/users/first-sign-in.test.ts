import { signedInClient } from '@portcullis/client/signed-in-client'
import { afterAll, expect, test } from 'vitest'
import { openTestMailbox } from '../mail/test-mailbox.ts'
import { startOwnServer } from '../test-server.ts'

const mailbox = await openTestMailbox()
const server = await startOwnServer({ smtpUrl: mailbox.url })
afterAll(async () => {
  await server.stop()
  await mailbox.close()
})

const password = 'a gate that only opens inward'

test('§2 create a user: a hyper user may set a password and confirm the email, without invitation', async () => {
  const email = 'script@portcullis.example'
  const body = { name: 'By a script', email, role: 'installer', password, verified: true }
  const { status, item } = await server.ask('POST', '/api/users', { body })
  expect([status, item['verified'], Object.keys(item)]).toEqual([201, true, expect.not.arrayContaining(['password'])])

  const { currentUser, client } = await signedInClient({ baseUrl: server.url, email, password })
  expect(currentUser).toMatchObject({ _id: item._id, verified: true })
  expect((await client.me(null)).account?.role).toBe('installer')
  const history = await server.ask('GET', `/api/auditLogs?filter=${JSON.stringify({ item: item._id })}`)
  expect(history.items).toHaveLength(1)
  expect(JSON.stringify(history.items)).not.toMatch(/password|argon2/)

  await server.ask('POST', '/api/users', { body: { name: 'Invited', email: 'invited@portcullis.example' } })
  await mailbox.newest('invited@portcullis.example', { subject: 'Your access to Portcullis' })
  expect(mailbox.sentTo(email)).toEqual([])
})

test('§2 create a user: a user with a password and an unverified email has to confirm it', async () => {
  const email = 'unconfirmed@portcullis.example'
  const { item } = await server.ask('POST', '/api/users', { body: { name: 'Unconfirmed', email, password } })
  expect(item['verified']).toBe(false)
  const { currentUser } = await signedInClient({ baseUrl: server.url, email, password })
  expect(currentUser.verified).toBe(false)
})

test('§2 create a user: only a hyper user may set a password or confirm an email', async () => {
  const { ask } = await server.signInAs({ role: 'admin' })
  for (const given of [{ password }, { verified: true }, { verified: false }]) {
    const body = { name: 'Given', email: 'given@portcullis.example', ...given }
    const { status, error } = await ask('POST', '/api/users', { body })
    expect([status, error.code, Object.keys(error.fields)]).toEqual([403, 'hyper_only', Object.keys(given)])
  }
})

test('§2 create a user: a password needs an email and 8 characters, and is set at creation only', async () => {
  const refusals = [
    await server.ask('POST', '/api/users', { body: { name: 'No email', password } }),
    await server.ask('POST', '/api/users', {
      body: { name: 'Short', email: 'short@portcullis.example', password: '1234567' },
    }),
  ]
  for (const { status, error } of refusals) expect([status, Object.keys(error.fields)]).toEqual([400, ['password']])
  const { item } = await server.ask('POST', '/api/users', { body: { name: 'Later' } })
  const later = await server.ask('PATCH', `/api/users/${item._id}`, { body: { password } })
  expect(later.status).toBe(400)
})

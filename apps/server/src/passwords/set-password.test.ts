import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { events } from '@portcullis/contract/collections/events'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startOwnServer, type TestServer } from '../test-server.ts'

const command = fileURLToPath(new URL('../../../../scripts/set-password.ts', import.meta.url))

let server: TestServer

beforeAll(async () => {
  server = await startOwnServer()
})
afterAll(() => server.stop())

test('the command prints a new password that signs in, and ends previous sessions', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const { code, output } = await setPassword([person.email.toUpperCase()], '')
  expect(code).toBe(0)
  const [, password = ''] = /is now (\S{16}) \(/.exec(output) ?? []
  const { currentUser } = await signedInClient({ baseUrl: server.url, email: person.email, password })
  expect(currentUser._id).toBe(person.userId)
  expect((await person.ask('GET', '/api/users/me')).status).toBe(401)
})

test('the command is recorded as an event, and the user is notified', async () => {
  const { email, userId } = await server.signInAs({ role: 'installer' })
  await setPassword([email], '')
  const { items } = await server.client
    .of(events)
    .list({ filter: { type: 'administration.password_reset', user: userId } })
  expect(items.map(({ data }) => data.device)).toEqual(['npm run set-password'])
  const mails = await server.client.outbox()
  expect(mails.filter(({ to }) => to === email).map(({ subject }) => subject)).toEqual([
    'Your Portcullis password was changed',
  ])
})

test('the command is recorded in the audit log without values, with the command as the author', async () => {
  const { email, userId } = await server.signInAs({ role: 'installer' })
  await setPassword([email], '')
  const { items } = await server.client.of(auditLogs).list({ filter: { item: userId }, size: 1 })
  const author = { actor: null, actorName: 'npm run set-password' }
  expect(items).toMatchObject([{ ...author, collection: 'users', action: 'patch', before: {}, after: {} }])
  const undo = await server.ask('POST', `/api/auditLogs/${items[0]?._id}/undo`)
  expect(undo.status).toBe(422)
})

test('after the command, a user who could not confirm their email can sign in', async () => {
  const email = 'unread@portcullis.example'
  expect((await server.ask('POST', '/api/users', { body: { name: 'Unread', email } })).status).toBe(201)
  const { output } = await setPassword([email], '')
  const [, password = ''] = /is now (\S{16}) \(/.exec(output) ?? []
  const { currentUser } = await signedInClient({ baseUrl: server.url, email, password })
  expect(currentUser.verified).toBe(true)
})

test('the command takes a password that is piped in, and does not print it', async () => {
  const { email } = await server.signInAs({ role: 'installer' })
  const password = 'nine slow ferries '
  const { code, output } = await setPassword([email], `${password}\n`)
  expect(code).toBe(0)
  expect(output).not.toContain(password.trim())
  expect((await signedInClient({ baseUrl: server.url, email, password })).currentUser.email).toBe(email)
})

test.each([
  {
    settings: ['unknown@portcullis.example'],
    input: '',
    message: 'No user has the email unknown@portcullis.example. Check it under Users in the console.',
  },
  { settings: ['root@portcullis.example'], input: 'short\n', message: 'At least 12 characters.' },
  { settings: [], input: '', message: 'npm run set-password -- EMAIL' },
])('the command reports its error: $message', async ({ settings, input, message }) => {
  const { code, output } = await setPassword(settings, input)
  expect(code).toBe(1)
  expect(output).toContain(message)
})

async function setPassword(settings: string[], input: string) {
  const child = spawn(process.execPath, [command, ...settings], {
    env: {
      NODE_COMPILE_CACHE: inject('compileCache'),
      DATABASE_URL: server.databaseUrl,
      SECRET_KEY_FILE: join(inject('testFolder'), 'secret.key'),
    },
  })
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve)
  child.stdin.end(input)
  const [code, printed, errors] = await Promise.all([promise, text(child.stdout), text(child.stderr)])
  return { code, output: printed + errors }
}

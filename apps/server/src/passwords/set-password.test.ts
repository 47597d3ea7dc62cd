import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { signedInClient } from '@portcullis/client/signed-in-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOwnServer, type TestServer } from '../test-server.ts'

const command = fileURLToPath(new URL('../../../../scripts/set-password.ts', import.meta.url))

let server: TestServer

beforeAll(async () => {
  server = await startOwnServer()
})
afterAll(() => server.stop())

test('the command prints a fresh password, signs in with it, and ends the sessions of before', async () => {
  const person = await server.signInAs({ role: 'installer' })
  const { code, output } = await setPassword([person.email.toUpperCase()], '')
  expect(code).toBe(0)
  const [, password = ''] = /is now (\S{16}) \(/.exec(output) ?? []
  const { currentUser } = await signedInClient({ baseUrl: server.url, email: person.email, password })
  expect(currentUser._id).toBe(person.userId)
  expect((await person.ask('GET', '/api/users/me')).status).toBe(401)
})

test('the command lets somebody in who could not confirm their e-mail', async () => {
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
  { settings: ['nobody@portcullis.example'], input: '', says: 'Nobody has the e-mail nobody@portcullis.example here.' },
  { settings: ['root@portcullis.example'], input: 'short\n', says: 'At least 12 characters.' },
  { settings: [], input: '', says: 'npm run set-password -- EMAIL' },
])('what the command can not do it says: $says', async ({ settings, input, says }) => {
  const { code, output } = await setPassword(settings, input)
  expect(code).toBe(1)
  expect(output).toContain(says)
})

async function setPassword(settings: string[], input: string) {
  const child = spawn(process.execPath, [command, ...settings], { env: { DATABASE_URL: server.databaseUrl } })
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve)
  child.stdin.end(input)
  const [code, said, complained] = await Promise.all([promise, text(child.stdout), text(child.stderr)])
  return { code, output: said + complained }
}

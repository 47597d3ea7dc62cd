import { ownSessions, ownSignIns } from '@portcullis/contract/calls/own-sessions'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../mfa/test-authenticator.ts'
import { connectTestSocket } from '../test-socket.ts'
import { request, startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const path = '/api/users/me/sessions'
const listOf = async ({ ask }: Pick<TestUser, 'ask'>) => ownSessions.output.parse((await ask('GET', path)).json)

describe('§2 my sessions', () => {
  test('are only those where I am signed in, with the current one marked', async () => {
    const person = await server.signInAs({ role: 'appUser' })
    await server.signInAs({ role: 'appUser' })
    const other = openBrowser(server)
    await other.signIn(person.email)
    const listed = await listOf(person)
    expect(listed).toHaveLength(2)
    expect(listed.map(({ current }) => current)).toEqual([false, true])
    for (const { address, signedInAt, lastActivityAt } of listed) {
      expect(address).toBe('127.0.0.1')
      expect(lastActivityAt >= signedInAt).toBe(true)
    }
    expect(JSON.stringify(listed)).not.toMatch(/token|hash/i)
  })

  test('end one by one, each with its socket', async () => {
    const person = await server.signInAs({ role: 'appUser' })
    const other = openBrowser(server)
    await other.signIn(person.email)
    const connection = await connectTestSocket({ url: server.url, headers: { cookie: other.cookie } })
    onTestFinished(connection.close)
    const [{ _id } = { _id: '' }] = await listOf(person)
    expect((await person.ask('DELETE', `${path}/${_id}`)).status).toBe(204)
    expect(await other.status()).toBe('session_ended')
    await expect.poll(connection.isConnected).toBe(false)
    expect((await person.ask('DELETE', `${path}/${_id}`)).error.code).toBe('not_found')
    expect(await listOf(person)).toHaveLength(1)
  })

  test('of another user are not found', async () => {
    const [person, stranger] = [await server.signInAs({ role: 'admin' }), await server.signInAs({ role: 'appUser' })]
    const [{ _id } = { _id: '' }] = await listOf(stranger)
    expect((await person.ask('DELETE', `${path}/${_id}`)).error.code).toBe('not_found')
    expect((await person.ask('DELETE', `${path}/none`)).error.code).toBe('not_found')
    expect(await listOf(stranger)).toHaveLength(1)
  })

  test('all other sessions end in one call', async () => {
    const person = await server.signInAs({ role: 'appUser' })
    const otherBrowsers = [openBrowser(server), openBrowser(server)]
    for (const each of otherBrowsers) await each.signIn(person.email)
    expect((await person.ask('POST', `${path}/endOthers`)).json).toEqual({ ended: 2 })
    for (const each of otherBrowsers) expect(await each.status()).toBe('session_ended')
    expect(await listOf(person)).toMatchObject([{ current: true }])
    expect((await person.ask('POST', `${path}/endOthers`)).json).toEqual({ ended: 0 })
  })
})

test('§2 my sign-ins are listed, including failed ones, with their address', async () => {
  const person = await server.signInAs({ role: 'appUser' })
  const headers = { 'x-js-account': 'null', 'user-agent': 'A strange device' }
  const body = { email: person.email, password: 'not the password', type: 'Local' }
  await request(`${server.url}/api/auth/login`, { method: 'POST', headers, body })
  const signIns = async () => ownSignIns.output.parse((await person.ask('GET', '/api/users/me/signIns')).json)
  await expect
    .poll(async () => (await signIns()).map(({ outcome }) => outcome))
    .toEqual(['wrong_password', 'signed_in'])
  expect((await signIns())[0]).toMatchObject({ address: '127.0.0.1', device: 'A strange device' })
})

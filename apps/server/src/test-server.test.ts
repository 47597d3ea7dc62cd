import { expect, test } from 'vitest'
import { makeItem } from './collections/test-items.ts'
import { startTestServer } from './test-server.ts'

test('files of one worker share a server, each with its own top-level account and administrator', async () => {
  const [one, other] = [await startTestServer(), await startTestServer()]
  expect(other.url).toBe(one.url)
  expect([other.account, other.email]).not.toEqual([one.account, one.email])
  await makeItem({ ask: one.ask, collection: 'sites' })
  expect((await one.ask('GET', '/api/sites')).items).toHaveLength(1)
  expect((await other.ask('GET', '/api/sites')).items).toEqual([])
  await Promise.all([one.stop(), other.stop()])
})

test('items of a file do not affect the next one: refs and emails are free, sessions have ended', async () => {
  for (const server of [await startTestServer(), await startTestServer()]) {
    await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch' } })
    const fields = { email: 'ada@people.example' }
    await makeItem({ ask: server.in('branch'), collection: 'users', fields })
    const { ask } = await server.signInAs({ role: 'admin', account: 'branch' })
    expect((await ask('GET', '/api/sites')).status).toBe(200)
    await server.stop()
    expect((await ask('GET', '/api/sites')).status).toBe(401)
  }
})

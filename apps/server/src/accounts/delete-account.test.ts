import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

test('§3 accounts: an account that holds items is not deleted, and the error counts them by kind', async () => {
  const { _id } = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'full' } })
  const inside = server.in('full')
  await makeItem({ ask: inside, collection: 'accounts', fields: { ref: 'below-full' } })
  for (let count = 0; count < 2; count += 1) await makeItem({ ask: inside, collection: 'sites' })
  await makeItem({ ask: inside, collection: 'units' })
  await makeItem({ ask: inside, collection: 'doorGroups' })

  const { status, error } = await inside('DELETE', `/api/accounts/${_id}`)
  expect([status, error.code]).toEqual([422, 'account_not_empty'])
  expect(error.message).toBe(
    'This account still contains 1 account below it, 1 door group, 2 sites, and 1 controller. Move or delete those first, or suspend it.',
  )
  expect((await inside('GET', `/api/accounts/${_id}`)).status).toBe(200)
})

test('§1 accounts: the error hides the kind and number of items that the user may not view', async () => {
  const { _id } = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'veiled' } })
  const manager = (await server.signInAs({ role: 'accountManager' })).in('veiled')
  const errorMessage = async () => (await manager('DELETE', `/api/accounts/${_id}`)).error.message
  const sentence = (what: string) => `This account still contains ${what}. Move or delete those first, or suspend it.`
  for (const collection of ['units', 'units', 'schedules'] as const) {
    await makeItem({ ask: server.in('veiled'), collection })
    expect(await errorMessage()).toBe(sentence('items that you cannot see'))
  }
  await makeItem({ ask: server.in('veiled'), collection: 'sites' })
  expect(await errorMessage()).toBe(sentence('1 site and items that you cannot see'))
})

test('§3 accounts: an empty account is deleted, even if users have signed in to it', async () => {
  const { _id } = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'bare' } })
  const person = await server.signInAs({ role: 'admin', account: 'bare' })
  await expect.poll(async () => (await person.ask('GET', '/api/events')).items.length).toBeGreaterThan(0)
  const held = await server.in('bare')('DELETE', `/api/accounts/${_id}`)
  expect(held.error.message).toContain('contains 1 user.')
  expect((await server.in('bare')('DELETE', `/api/users/${person.userId}`)).status).toBe(204)
  expect((await server.in('bare')('DELETE', `/api/accounts/${_id}`)).status).toBe(204)
})

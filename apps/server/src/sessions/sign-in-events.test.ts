import { collections } from '@portcullis/contract/collections/registry'
import { administrationEventTypes, eventTypes } from '@portcullis/contract/event-types'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { password, request, startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'north' } })
const north = server.in('north')
const device = 'Tablet at the gate'

function tryWith(email: string, wrong: string) {
  const headers = { 'x-js-account': 'null', 'user-agent': device }
  return request(`${server.url}/api/auth/login`, { method: 'POST', headers, body: { email, password: wrong } })
}

async function eventsOf(user: string, type: string) {
  const filter = encodeURIComponent(JSON.stringify({ user, type }))
  return (await north('GET', `/api/events?filter=${filter}`)).items
}

test('§3 a sign-in is an event of the home account, from where and with what', async () => {
  const person = await server.signInAs({ role: 'installer', account: 'north' })
  expect((await tryWith(person.email, password)).status).toBe(200)
  const events = await eventsOf(person.userId, 'administration.signed_in')
  expect(events).toHaveLength(2)
  const [event] = events
  expect(collections.events.entitySchema.strict().parse(event)).toEqual(event)
  expect(event).toMatchObject({
    category: 'administration',
    severity: 'info',
    data: { names: { user: 'A installer' }, address: '127.0.0.1', device },
  })
})

test('§3 a failed sign-in is an event too, at most once a minute for one user and address', async () => {
  const person = await server.signInAs({ role: 'installer', account: 'north' })
  await Promise.all([1, 2, 3].map(() => tryWith(person.email, 'not the password')))
  const failed = () => eventsOf(person.userId, 'administration.sign_in_failed')
  await expect.poll(failed).toMatchObject([{ severity: 'notice', data: { address: '127.0.0.1', device } }])
  await tryWith(person.email, 'not the password either')
  // Another user's later failure is recorded after this one's.
  const other = await server.signInAs({ role: 'installer', account: 'north' })
  await tryWith(other.email, 'not the password')
  await expect.poll(() => eventsOf(other.userId, 'administration.sign_in_failed')).toHaveLength(1)
  expect(await failed()).toHaveLength(1)
  await server.database.asSystem((tx) =>
    tx.run(
      sql`update event set event_occurred_at = event_occurred_at - interval '61 seconds' where event_user = ${person.userId}`,
    ),
  )
  await tryWith(person.email, 'still not the password')
  await expect.poll(failed).toHaveLength(2)
})

test('an unknown address gets the same answer and leaves no event', async () => {
  const person = await server.signInAs({ role: 'installer', account: 'north' })
  const [registered, unknown] = [
    await tryWith(person.email, 'wrong'),
    await tryWith('nobody@portcullis.example', 'wrong'),
  ]
  const answers = [registered, unknown].map(({ status, error }) => [status, error.code, error.message])
  expect(answers[1]).toEqual(answers[0])
  await expect.poll(() => eventsOf(person.userId, 'administration.sign_in_failed')).toHaveLength(1)
  const { items } = await server.ask('GET', '/api/events?size=500', { headers: { 'x-js-all-accounts': 'true' } })
  expect(JSON.stringify(items)).not.toContain('nobody@portcullis.example')
})

test('§3 the configuration lists these events separately from those of doors and units', async () => {
  const { json } = await server.ask('GET', '/config')
  expect(json).toMatchObject({
    AuditEventTypes: [...administrationEventTypes],
    EventTypes: [...eventTypes],
    AllEventTypes: [...eventTypes, ...administrationEventTypes],
  })
})

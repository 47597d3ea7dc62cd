import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

test.each([
  [{ colour: 'red' }],
  [{ outcome: { is: 'denied' } }],
  [{ occurredAt: { gte: 'yesterday' } }],
  [{ or: 'denied' }],
])('a filter that a list of events would refuse is not saved: %j', async (filter) => {
  const saved = await makeItem({ ask: server.ask, collection: 'reports' })
  const listed = await server.ask('GET', `/api/events?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  const answers = [
    await server.ask('POST', '/api/reports', { body: { name: 'x', filter } }),
    await server.ask('PATCH', `/api/reports/${saved._id}`, { body: { filter } }),
  ]
  for (const { status, error } of answers) expect([status, error]).toEqual([400, listed.error])
})

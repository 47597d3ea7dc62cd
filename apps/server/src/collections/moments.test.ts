import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { minimalItem, makeItem } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)

const endless = `2026-01-01T00:00:00.${'1'.repeat(300)}Z`
const until = '2027-01-01T00:00:00Z'

test('design §2 times are returned in UTC, also parts of fields that were written with an offset', async () => {
  const adhoc = { from: '2026-01-01T10:00:00+02:00', until }
  const { item } = await server.ask('POST', '/api/rules', { body: { ...minimalItem('rules', { site: '' }), adhoc } })
  expect(item['adhoc']).toEqual({ from: '2026-01-01T08:00:00.000Z', until: '2027-01-01T00:00:00.000Z' })
  const patched = await server.ask('PATCH', `/api/rules/${item._id}`, { body: { adhoc } })
  expect([patched.item['adhoc'], patched.item['version']]).toEqual([item['adhoc'], 2])
})

test.each<[string, string, unknown]>([
  ['validFrom', 'users', { name: 'Ada', validFrom: endless }],
  ['adhoc.from', 'rules', { ...minimalItem('rules', { site: '' }), adhoc: { from: endless, until } }],
  ['filter', 'reports', { name: 'Night', filter: { occurredAt: { gte: endless } } }],
])('a moment with more than nine decimals is refused by name: %s of %s', async (field, name, body) => {
  const { status, error } = await server.ask('POST', `/api/${name}`, { body })
  expect([status, Object.keys(error.fields)]).toEqual([400, [field]])
})

test('such a moment in a query is refused too', async () => {
  const site = await makeItem({ ask: server.ask, collection: 'sites' })
  for (const id of [site._id, uuidv7()]) {
    const { status, error } = await server.ask('GET', `/api/auditLogs/asOf/sites/${id}?at=${endless}`)
    expect([status, Object.keys(error.fields)]).toEqual([400, ['at']])
  }
})

test('lists are filtered by moments to the microsecond', async () => {
  const { createdAt } = await makeItem({ ask: server.ask, collection: 'sites' })
  const moment = String(createdAt).replace('Z', '999999Z')
  const filter = encodeURIComponent(JSON.stringify({ createdAt: { gte: createdAt, lte: moment } }))
  expect((await server.ask('GET', `/api/sites?filter=${filter}`)).items).toHaveLength(1)
})

import { collections } from '@portcullis/contract/collections/registry'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOwnServer } from '../test-server.ts'
import { storeEvents } from './test-events.ts'
import { makeItem } from './test-items.ts'

const server = await startOwnServer()
afterAll(server.stop)

const { sites, events } = collections

beforeAll(async () => {
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch' } })
  for (const name of ['Oslo', 'Durban', 'Accra']) {
    await makeItem({ ask: server.ask, collection: 'sites', fields: { name } })
  }
  await makeItem({ ask: server.in('branch'), collection: 'sites', fields: { name: 'Lagos' } })
})

describe('§7 count', () => {
  test('returns the number of items that the list shows with the same filter and search', async () => {
    const { client } = server
    expect(await client.of(sites).count()).toEqual({ count: 3, exact: true })
    expect(await client.of(sites).count({ filter: { name: { in: ['Oslo', 'Nowhere'] } } })).toMatchObject({ count: 1 })
    expect(await client.of(sites).count({ search: ' A ' })).toMatchObject({ count: 2 })
    expect(await client.of(sites).count({ search: 'zz' })).toEqual({ count: 0, exact: true })
  })

  test('includes the accounts below only on request', async () => {
    expect(await server.client.of(sites).count({}, { allAccounts: 'yes' })).toMatchObject({ count: 4 })
    expect((await server.in('branch')('GET', '/api/sites/count')).json).toEqual({ count: 1, exact: true })
  })

  test('requires the right to view, as the list does', async () => {
    const { ask } = await server.signInAs({ role: 'appUser' })
    expect((await ask('GET', '/api/sites/count')).status).toBe(403)
    expect((await ask('GET', '/api/rules/count')).error.code).toBe('forbidden')
  })

  test.each([
    ['filter', '{"colour":1}'],
    ['filter', '{'],
    ['search', 'x'.repeat(201)],
    ['page', '1'],
    ['unheard', 'x'],
  ])('of a %s that is %s is a 400 that names it', async (parameter, value) => {
    const query = new URLSearchParams({ [parameter]: value }).toString()
    const { status, error } = await server.ask('GET', `/api/sites/count?${query}`)
    expect([status, Object.keys(error.fields)]).toEqual([400, [parameter]])
  })

  test('stops at 100,000 and is then not exact, unless totals are stored', async () => {
    const account = await server.keyOf('main')
    const filter = { category: 'access' }
    await storeEvents(server.database, { account, count: 100_000 })
    expect(await server.client.of(events).count({ filter })).toEqual({ count: 100_000, exact: true })
    await storeEvents(server.database, { account, count: 1 })
    expect(await server.client.of(events).count({ filter })).toEqual({ count: 100_000, exact: false })
    expect((await server.client.of(events).list({ size: 1, filter })).page.totalExact).toBe(false)
  })

  test('is exact for events by door, type and time, whatever their number', async () => {
    const [account, door] = [await server.keyOf('main'), uuidv7()]
    await storeEvents(server.database, { account, door, count: 100_001 })
    const filter = { door, type: 'access.granted' }
    expect(await server.client.of(events).count({ filter })).toEqual({ count: 100_001, exact: true })
    const { page } = await server.client
      .of(events)
      .list({ size: 1, filter: { door, occurredAt: { gte: '2000-01-01T00:00:00Z' } } })
    expect(page).toMatchObject({ totalElements: 100_001, totalPages: 100_001 })
    expect(page.totalExact).toBeUndefined()
  })
})

import type { AggregateBy } from '@portcullis/contract/aggregate-query'
import { collections } from '@portcullis/contract/collections/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { storeEvent, storeEvents } from './test-events.ts'
import { makeItem } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)

const events = server.client.of(collections.events)
const sites = server.client.of(collections.sites)
const account = await server.keyOf(server.account)
const door = '01900000-0000-7000-8000-000000000001'

/** Stores events at these moments; each test uses a year of its own. */
async function happen(...moments: string[]) {
  for (const occurredAt of moments) await storeEvent(server.database, { account, occurredAt })
}

function inYear(year: number) {
  const begin = (of: number) => `${of.toString().padStart(4, '0')}-01-01T00:00:00Z`
  return { occurredAt: { gte: begin(year), lt: begin(year + 1) } }
}

type Counting = { year: number; bucket: 'hour' | 'day' | 'week' | 'month'; timeZone: string }

async function countsBy({ year, bucket, timeZone }: Counting) {
  const by: AggregateBy = [{ field: 'occurredAt', bucket }]
  const { rows } = await events.aggregate({ filter: inYear(year), by, timeZone })
  return rows.map((row) => [row['occurredAt'], row.count])
}

describe('§7 aggregate counts by values', () => {
  beforeAll(async () => {
    const make = (fields: Record<string, unknown>) => makeItem({ ask: server.ask, collection: 'sites', fields })
    await make({ name: 'A', timeZone: 'Europe/Oslo', address: '1' })
    await make({ name: 'B', timeZone: 'Africa/Accra' })
    await make({ name: 'C', timeZone: 'Europe/Oslo' })
    await make({ name: 'D', timeZone: 'Europe/Oslo' })
  })

  test('of one field, in its order', async () => {
    expect(await sites.aggregate({ by: ['timeZone'] })).toEqual({
      rows: [
        { timeZone: 'Africa/Accra', count: 1 },
        { timeZone: 'Europe/Oslo', count: 3 },
      ],
    })
  })

  test('of several fields, missing values last', async () => {
    expect((await sites.aggregate({ by: ['timeZone', 'address'] })).rows).toEqual([
      { timeZone: 'Africa/Accra', address: null, count: 1 },
      { timeZone: 'Europe/Oslo', address: '1', count: 1 },
      { timeZone: 'Europe/Oslo', address: null, count: 2 },
    ])
  })

  test('of filtered items, and of nothing if the filter finds none', async () => {
    expect((await sites.aggregate({ by: ['timeZone'], filter: { name: { in: ['A', 'C'] } } })).rows).toEqual([
      { timeZone: 'Europe/Oslo', count: 2 },
    ])
    expect((await sites.aggregate({ by: ['timeZone'], filter: { name: 'Z' } })).rows).toEqual([])
  })

  test('of numbers, booleans and states', async () => {
    await makeItem({ ask: server.ask, collection: 'doors' })
    const doors = server.client.of(collections.doors)
    expect((await doors.aggregate({ by: ['enabled', 'unitDoor', 'state', 'mode'] })).rows).toEqual([
      { enabled: true, unitDoor: null, state: 'unknown', mode: 'normal', count: 1 },
    ])
  })

  test('in the accounts below only on request', async () => {
    await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch' } })
    const fields = { timeZone: 'Africa/Lagos' }
    await makeItem({ ask: server.in('branch'), collection: 'sites', fields })
    const filter = fields
    expect((await sites.aggregate({ by: ['timeZone'], filter })).rows).toEqual([])
    const all = await sites.aggregate({ by: ['timeZone'], filter }, { allAccounts: 'yes' })
    expect(all.rows).toEqual([{ timeZone: 'Africa/Lagos', count: 1 }])
  })

  test('only for users who may view', async () => {
    const { ask } = await server.signInAs({ role: 'appUser' })
    expect((await ask('GET', '/api/sites/aggregate?by=["name"]')).status).toBe(403)
  })
})

describe('§7 aggregate counts by local time', () => {
  test('by days of a time zone, each given as the moment it begins', async () => {
    await happen('2001-06-01T21:59:00Z', '2001-06-01T22:00:00Z', '2001-06-02T21:59:59.999Z')
    expect(await countsBy({ year: 2001, bucket: 'day', timeZone: 'Europe/Oslo' })).toEqual([
      ['2001-05-31T22:00:00.000Z', 1],
      ['2001-06-01T22:00:00.000Z', 2],
    ])
    expect(await countsBy({ year: 2001, bucket: 'day', timeZone: 'UTC' })).toEqual([
      ['2001-06-01T00:00:00.000Z', 2],
      ['2001-06-02T00:00:00.000Z', 1],
    ])
  })

  test('a day on which clocks go forward has 23 hours, one on which they go back has 25', async () => {
    await happen('2024-03-30T23:00:00Z', '2024-03-31T21:59:00Z', '2024-03-31T22:00:00Z')
    await happen('2024-10-26T22:00:00Z', '2024-10-27T22:59:00Z', '2024-10-27T23:00:00Z')
    expect(await countsBy({ year: 2024, bucket: 'day', timeZone: 'Europe/Oslo' })).toEqual([
      ['2024-03-30T23:00:00.000Z', 2],
      ['2024-03-31T22:00:00.000Z', 1],
      ['2024-10-26T22:00:00.000Z', 2],
      ['2024-10-27T23:00:00.000Z', 1],
    ])
  })

  test('the hour that repeats is two hours', async () => {
    await happen('2023-10-29T00:30:00Z', '2023-10-29T01:30:00Z', '2023-10-29T01:45:00Z')
    expect(await countsBy({ year: 2023, bucket: 'hour', timeZone: 'Europe/Oslo' })).toEqual([
      ['2023-10-29T00:00:00.000Z', 1],
      ['2023-10-29T01:00:00.000Z', 2],
    ])
  })

  test('a day with two midnights begins at the first, one without a midnight at its first moment', async () => {
    await happen('2022-11-06T04:30:00Z', '2022-11-06T05:30:00Z', '2022-03-13T05:30:00Z')
    expect(await countsBy({ year: 2022, bucket: 'day', timeZone: 'America/Havana' })).toEqual([
      ['2022-03-13T05:00:00.000Z', 1],
      ['2022-11-06T04:00:00.000Z', 2],
    ])
  })

  test('by weeks from Monday and by months', async () => {
    await happen('2021-01-03T23:30:00Z', '2021-01-31T23:30:00Z', '2021-02-01T12:00:00Z')
    expect(await countsBy({ year: 2021, bucket: 'week', timeZone: 'Europe/Oslo' })).toEqual([
      ['2021-01-03T23:00:00.000Z', 1],
      ['2021-01-31T23:00:00.000Z', 2],
    ])
    expect(await countsBy({ year: 2021, bucket: 'month', timeZone: 'Europe/Oslo' })).toEqual([
      ['2020-12-31T23:00:00.000Z', 1],
      ['2021-01-31T23:00:00.000Z', 2],
    ])
  })

  test('intervals that begin before the year 1, west of Greenwich, are in the year 0 of ISO 8601', async () => {
    await happen('0001-01-01T00:00:00Z')
    expect(await countsBy({ year: 1, bucket: 'month', timeZone: 'Etc/GMT+5' })).toEqual([
      ['0000-12-01T05:00:00.000Z', 1],
    ])
    expect(await countsBy({ year: 1, bucket: 'hour', timeZone: 'Etc/GMT+5' })).toEqual([
      ['0001-01-01T00:00:00.000Z', 1],
    ])
  })

  test("by default in the account's own time zone, together with values", async () => {
    await happen('2019-06-01T23:30:00Z')
    const by: AggregateBy = ['outcome', { field: 'occurredAt', bucket: 'day' }]
    const main = await server.ask('GET', '/api/accounts')
    await server.ask('PATCH', `/api/accounts/${main.items[0]?._id}`, { body: { defaultTimeZone: 'Asia/Tokyo' } })
    expect((await events.aggregate({ filter: inYear(2019), by })).rows).toEqual([
      { outcome: 'granted', occurredAt: '2019-06-01T15:00:00.000Z', count: 1 },
    ])
  })
})

describe('an invalid query is a 400 that names the parameter', () => {
  test.each<[string, Record<string, unknown>]>([
    ['by', {}],
    ['by', { by: '{' }],
    ['by', { by: 'name' }],
    ['by', { by: [] }],
    ['by', { by: ['name', 'timeZone', 'address', '_id', 'createdAt'] }],
    ['by', { by: ['name', 'name'] }],
    ['by', { by: ['createdAt', { field: 'createdAt', bucket: 'day' }] }],
    ['by', { by: ['colour'] }],
    ['by', { by: ['location'] }],
    ['by', { by: ['constructor'] }],
    ['by', { by: [7] }],
    ['by', { by: [{ field: 'name', bucket: 'day' }] }],
    ['by', { by: [{ field: 'createdAt', bucket: 'minute' }] }],
    ['by', { by: [{ field: 'createdAt' }] }],
    ['timeZone', { by: ['name'], timeZone: 'Mars/Olympus' }],
    ['timeZone', { by: ['name'], timeZone: '+02:00' }],
    ['timeZone', { by: [{ field: 'createdAt', bucket: 'day' }], timeZone: 'CST' }],
    ['timeZone', { by: ['name'], timeZone: "UTC' or 1" }],
    ['filter', { by: ['name'], filter: { colour: 1 } }],
    ['search', { by: ['name'], search: 'x' }],
  ])('%s: %j', async (parameter, query) => {
    const entries = Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    const answer = await server.ask('GET', `/api/sites/aggregate?${new URLSearchParams(entries).toString()}`)
    expect([answer.status, Object.keys(answer.error.fields)]).toEqual([400, [parameter]])
  })

  test('by: more than 10,000 rows', async () => {
    await storeEvents(server.database, { account, count: 10_001, door })
    const by = JSON.stringify(['_id'])
    const ask = (filter: unknown) =>
      server.ask(
        'GET',
        `/api/events/aggregate?${new URLSearchParams({ by, filter: JSON.stringify(filter) }).toString()}`,
      )
    const { status, error } = await ask({ door })
    expect([status, Object.keys(error.fields)]).toEqual([400, ['by']])
    expect((await ask({ door, outcome: 'denied' })).status).toBe(200)
  })
})

import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { storeEvent } from './test-events.ts'
import { makeItem } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)

type Fields = Record<string, unknown>

/** Requests a list; objects travel as JSON text. */
function list(path: string, query: Record<string, unknown> = {}) {
  const entries = Object.entries(query).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return server.ask('GET', `/api/${path}?${new URLSearchParams(entries).toString()}`)
}

async function names(path: string, query: Record<string, unknown> = {}) {
  const { status, items, error } = await list(path, query)
  expect(status, error.message).toBe(200)
  return items.map(({ name }) => String(name))
}

const site = (fields: Fields) => makeItem({ ask: server.ask, collection: 'sites', fields })

const oslo = await site({ name: 'Oslo', address: "1 Fisherman's Quay", timeZone: 'Europe/Oslo' })
const cape = await site({ name: 'Cape Town', address: '100% Long_Street', timeZone: 'Africa/Johannesburg' })
const durban = await site({ name: 'Durban', timeZone: 'Africa/Johannesburg' })
const accra = await site({ name: 'accra \\ annex', timeZone: 'Africa/Accra', address: '1000 Ring Road' })
const all = ['accra \\ annex', 'Cape Town', 'Durban', 'Oslo']

describe('pages', () => {
  test('hold the 20 newest items by default, and report the total', async () => {
    const { items, page, next } = await list('sites')
    expect(items.map(({ _id }) => _id)).toEqual([accra._id, durban._id, cape._id, oslo._id])
    expect(page).toEqual({ size: 20, totalElements: 4, totalPages: 1, pageNumber: 0 })
    expect(next).toBeNull()
  })

  test('are counted from 0, and empty after the last', async () => {
    expect(await names('sites', { size: 3, page: 0 })).toEqual(['accra \\ annex', 'Durban', 'Cape Town'])
    expect(await names('sites', { size: 3, page: 1 })).toEqual(['Oslo'])
    const beyond = await list('sites', { size: 3, page: 7 })
    expect([beyond.items, beyond.page]).toEqual([[], { size: 3, totalElements: 4, totalPages: 2, pageNumber: 7 }])
  })

  test('continue after a cursor, also if items are added or deleted in between', async () => {
    const group = (name: string) => makeItem({ ask: server.ask, collection: 'siteGroups', fields: { name } })
    for (const name of ['a', 'b', 'c', 'd', 'e']) await group(name)
    const query = { sort: { prop: 'name', dir: 'asc' }, size: 2 }
    const first = await list('siteGroups', query)
    expect(first.items.map(({ name }) => name)).toEqual(['a', 'b'])
    await group('aa')
    await server.ask('DELETE', `/api/siteGroups/${first.items[1]?._id}`)
    const second = await list('siteGroups', { ...query, after: first.next ?? '' })
    expect(second.items.map(({ name }) => name)).toEqual(['c', 'd'])
    expect(second.page['totalElements']).toBe(5)
  })
})

test('a part of a field is queried by its path: temporary rules by their begin and end', async () => {
  const rule = (name: string, adhoc: unknown) =>
    makeItem({ ask: server.ask, collection: 'rules', fields: { name, adhoc } })
  await rule('For good', null)
  await rule('Spring', { from: '2026-03-01T00:00:00Z', until: '2026-06-01T02:00:00+02:00' })
  await rule('March', { from: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z' })
  const byEnd = { sort: { prop: 'adhoc.until', dir: 'asc' } }
  expect(await names('rules', byEnd)).toEqual(['March', 'Spring', 'For good'])
  expect(await names('rules', { ...byEnd, filter: { 'adhoc.until': { exists: true } } })).toEqual(['March', 'Spring'])
  expect(await names('rules', { filter: { 'adhoc.until': '2026-06-01T00:00:00Z' } })).toEqual(['Spring'])
  const { json } = await server.ask('GET', `/api/rules/aggregate?by=${encodeURIComponent('["adhoc.from"]')}`)
  expect(json).toEqual({
    rows: [
      { 'adhoc.from': '2026-03-01T00:00:00.000Z', count: 2 },
      { 'adhoc.from': null, count: 1 },
    ],
  })
  const body = { format: 'json', columns: ['name', 'adhoc.until'], filter: { name: 'Spring' }, timeZone: 'Europe/Oslo' }
  expect((await server.ask('POST', '/api/rules/export', { body })).json).toEqual([
    { name: 'Spring', 'adhoc.until': '2026-06-01 02:00:00' },
  ])
})

describe('sort', () => {
  test('is by a field, descending by default', async () => {
    expect(await names('sites', { sort: { prop: 'timeZone', dir: 'asc' } })).toHaveLength(4)
    expect(await names('sites', { sort: { prop: 'name', dir: 'asc' } })).toEqual([
      'Cape Town',
      'Durban',
      'Oslo',
      'accra \\ annex',
    ])
    expect(await names('sites', { sort: { prop: 'name' } })).toEqual(['accra \\ annex', 'Oslo', 'Durban', 'Cape Town'])
  })

  test('puts missing values last, in both directions', async () => {
    expect((await names('sites', { sort: { prop: 'address', dir: 'asc' } })).at(-1)).toBe('Durban')
    expect((await names('sites', { sort: { prop: 'address', dir: 'desc' } })).at(-1)).toBe('Durban')
  })
})

describe('search', () => {
  test.each([
    ['oslo', ['Oslo']],
    ['  OSLO ', ['Oslo']],
    ["fisherman's", ['Oslo']],
    ['100%', ['Cape Town']],
    ['g_s', ['Cape Town']],
    ['\\', ['accra \\ annex']],
    ['%', ['Cape Town']],
    ['_', ['Cape Town']],
    ["' or true --", []],
    ['', all],
  ])('of "%s" finds the literal text anywhere in a name or an address', async (search, expected) => {
    expect((await names('sites', { search })).toSorted()).toEqual(expected.toSorted())
  })

  test('combines with a filter', async () => {
    expect(await names('sites', { search: 'o', filter: { timeZone: 'Europe/Oslo' } })).toEqual(['Oslo'])
  })
})

describe('fields', () => {
  test('are returned as requested, always with the id', async () => {
    const { items } = await list('sites', { fields: ['name', 'calendars'], sort: { prop: 'name' }, size: 1 })
    expect(items).toEqual([{ _id: accra._id, name: 'accra \\ annex', calendars: [] }])
    expect((await list('sites', { fields: [], size: 1 })).items).toEqual([{ _id: accra._id }])
  })
})

describe('filter', () => {
  const inTime = (op: string) => ({ createdAt: { [op]: durban['createdAt'] } })
  test.each<[unknown, string[]]>([
    [{}, all],
    [{ name: 'Oslo' }, ['Oslo']],
    [{ name: { eq: 'Oslo' } }, ['Oslo']],
    [{ name: "O'slo" }, []],
    [{ name: { ne: 'Oslo' } }, ['accra \\ annex', 'Cape Town', 'Durban']],
    [{ address: null }, ['Durban']],
    [{ address: { ne: null } }, ['accra \\ annex', 'Cape Town', 'Oslo']],
    [{ address: { ne: '1000 Ring Road' } }, ['Cape Town', 'Durban', 'Oslo']],
    [{ address: { exists: true } }, ['accra \\ annex', 'Cape Town', 'Oslo']],
    [{ address: { exists: false } }, ['Durban']],
    [{ name: { in: ['Oslo', 'Durban', 'Nowhere'] } }, ['Durban', 'Oslo']],
    [{ name: { in: [] } }, []],
    [{ name: { nin: ['Oslo', 'Durban'] } }, ['accra \\ annex', 'Cape Town']],
    [{ address: { nin: ['1000 Ring Road'] } }, ['Cape Town', 'Durban', 'Oslo']],
    [{ name: { gt: 'Durban' } }, ['accra \\ annex', 'Oslo']],
    [{ name: { gte: 'Durban', lt: 'a' } }, ['Durban', 'Oslo']],
    [{ name: { lte: 'Durban' } }, ['Cape Town', 'Durban']],
    [{ address: { like: '0%' } }, ['Cape Town']],
    [{ address: { like: 'FISHERMAN' } }, ['Oslo']],
    [{ _id: oslo._id }, ['Oslo']],
    [{ _id: { in: [oslo._id, cape._id, uuidv7()] } }, ['Cape Town', 'Oslo']],
    [{ createdAt: { gt: '2020-01-01T00:00:00+02:00' } }, all],
    [{ createdAt: { lt: '0001-01-01T00:00:00Z' } }, []],
    [inTime('gte'), ['accra \\ annex', 'Durban']],
    [inTime('lt'), ['Cape Town', 'Oslo']],
    [{ and: [{ timeZone: { like: 'africa' } }, { address: { exists: true } }] }, ['accra \\ annex', 'Cape Town']],
    [{ or: [{ name: 'Oslo' }, { name: 'Durban' }] }, ['Durban', 'Oslo']],
    [{ not: { name: 'Oslo' } }, ['accra \\ annex', 'Cape Town', 'Durban']],
    [{ not: { address: { like: 'ring' } } }, ['Cape Town', 'Durban', 'Oslo']],
    [
      { or: [{ and: [{ name: 'Oslo' }, { not: { address: null } }] }, { not: { or: [{ name: { ne: 'Durban' } }] } }] },
      ['Durban', 'Oslo'],
    ],
    [{ and: [] }, all],
    [{ or: [] }, []],
    [{ not: {} }, []],
    [{ timeZone: 'Europe/Oslo', name: 'Durban' }, []],
    [nested(8), all],
  ])('%j', async (filter, expected) => {
    expect((await names('sites', { filter })).toSorted()).toEqual(expected.toSorted())
  })

  test('takes a thousand ids', async () => {
    const ids = [oslo._id, ...Array.from({ length: 999 }, () => uuidv7())]
    expect(await names('sites', { filter: { _id: { in: ids } } })).toEqual(['Oslo'])
  })

  test('compares integers, booleans and states by their type', async () => {
    const door = (fields: Fields) => makeItem({ ask: server.ask, collection: 'doors', site: oslo._id, fields })
    const unit = (await makeItem({ ask: server.ask, collection: 'units' }))._id
    await door({ name: 'front', unit, unitDoor: 1 })
    await door({ name: 'back', unit, unitDoor: 2, enabled: false })
    expect(await names('doors', { filter: { unitDoor: { gt: 1 } } })).toEqual(['back'])
    expect(await names('doors', { filter: { unitDoor: { in: [1, 99_999_999_999] } } })).toEqual(['front'])
    expect(await names('doors', { filter: { unitDoor: { lt: 99_999_999_999 }, enabled: true } })).toEqual(['front'])
    expect(await names('doors', { filter: { unitDoor: -99_999_999_999 } })).toEqual([])
    expect(await names('doors', { filter: { enabled: { in: [false] } } })).toEqual(['back'])
    expect(await names('doors', { filter: { state: 'unknown', unit } })).toHaveLength(2)
    expect(await names('units', { filter: { status: { ne: 'online' }, lastHeartbeatAt: null } })).toHaveLength(1)
  })
})

describe('an invalid parameter is a 400 that names it', () => {
  const many = Array.from({ length: 1_001 }, (_, index) => `${index}`)
  test.each<[string, string, unknown]>([
    ['filter', 'not JSON', '{name'],
    ['filter', 'a list', []],
    ['filter', 'a text', '"name"'],
    ['filter', 'nothing', 'null'],
    ['filter', 'an unknown field', { colour: 'red' }],
    ['filter', 'a field that is not queryable', { calendars: 'x' }],
    ['filter', 'a column', { site_name: 'x' }],
    ['filter', 'the prototype', '{"__proto__": {"name": "x"}}'],
    ['filter', 'a constructor', { constructor: 'x' }],
    ['filter', 'an unknown comparison', { name: { regex: 'x' } }],
    ['filter', 'a comparison of the prototype', { name: { toString: 'x' } }],
    ['filter', 'no comparison', { name: {} }],
    ['filter', 'a list for one value', { name: ['Oslo'] }],
    ['filter', 'a number for a text', { name: 7 }],
    ['filter', 'a text for a list', { name: { in: 'Oslo' } }],
    ['filter', 'nothing in a list', { name: { in: [null] } }],
    ['filter', 'a text for truth', { address: { exists: 'yes' } }],
    ['filter', 'nothing to compare with', { name: { gt: null } }],
    ['filter', 'no id', { _id: '7' }],
    ['filter', 'no moment', { createdAt: { gt: 'yesterday' } }],
    ['filter', 'the year 0', { createdAt: { gt: '0000-01-01T00:00:00Z' } }],
    ['filter', 'a day that is none', { createdAt: { gt: '2026-02-30T00:00:00Z' } }],
    ['filter', 'more than a nanosecond', { createdAt: { gt: `2026-01-01T00:00:00.${'1'.repeat(300)}Z` } }],
    ['filter', 'an offset that is none', { createdAt: { gt: '2026-01-01T00:00:00+23:00' } }],
    ['filter', 'a NUL', { name: 'a\u0000b' }],
    ['filter', 'a NUL in a part', { name: { like: 'a\u0000b' } }],
    ['filter', 'a part of a moment', { createdAt: { like: '2026' } }],
    ['filter', 'one filter for and', { and: { name: 'x' } }],
    ['filter', 'no filter in or', { or: ['x'] }],
    ['filter', 'a text for not', { not: 'x' }],
    ['filter', '9 levels', nested(9)],
    ['filter', '100,000 levels', '{"not":'.repeat(13_000)],
    ['filter', '1,001 values', { name: { in: many } }],
    ['filter', '1,001 values left out', { name: { nin: many } }],
    ['filter', '201 terms', { and: many.slice(0, 201).map(() => ({ name: 'x' })) }],
    ['filter', 'a key twice', '{"name":"Oslo","name":"Durban"}'],
    ['sort', 'not JSON', 'name'],
    ['sort', 'a text', '"name"'],
    ['sort', 'an unknown field', { prop: 'colour' }],
    ['sort', 'a field that is not queryable', { prop: 'location' }],
    ['sort', 'an unknown direction', { prop: 'name', dir: 'up' }],
    ['page', 'negative', '-1'],
    ['page', 'a fraction', '1.5'],
    ['page', 'a word', 'first'],
    ['page', 'an empty text', ''],
    ['page', 'enormous', '99999999999999999999'],
    ['size', 'nothing', '0'],
    ['size', '501', '501'],
    ['size', 'negative', '-5'],
    ['size', 'a word', 'all'],
    ['size', 'sixteens', '0x10'],
    ['size', 'an exponent', '1e1'],
    ['search', 'longer than 200', 'x'.repeat(201)],
    ['search', 'a NUL', 'a\u0000b'],
    ['fields', 'not JSON', 'name'],
    ['fields', 'an unknown field', ['name', 'colour']],
    ['fields', 'no texts', [7]],
    ['after', 'no cursor', 'xyz'],
    ['after', 'a list', cursor([])],
    ['after', 'another order', cursor({ prop: 'name', dir: 'asc', key: 'x', id: uuidv7(), account: 1 })],
    ['after', 'an invalid id', cursor({ prop: '_id', dir: 'desc', key: null, id: "'", account: 1 })],
    [
      'after',
      'an account that is none',
      cursor({ prop: '_id', dir: 'desc', key: null, id: uuidv7(), account: 2 ** 40 }),
    ],
    ['unknown', 'parameter', 'x'],
    ...['constructor', 'toString', 'valueOf'].map((name): [string, string, string] => [name, 'of a prototype', '1']),
  ])('%s: %s', async (parameter, _what, value) => {
    const { status, error } = await list('sites', { [parameter]: value })
    expect([status, error.code]).toEqual([400, 'bad_request'])
    expect(Object.keys(error.fields)).toEqual([parameter])
    expect(error.message).not.toMatch(/select|syntax|column|\.ts/)
  })

  test('__proto__: of a prototype', async () => {
    const { status, error } = await server.ask('GET', '/api/sites?__proto__=1')
    expect([status, error.message]).toEqual([400, expect.stringMatching(/ __proto__: /)])
  })

  test.each(['filter', 'sort', 'page', 'size', 'search', 'fields', 'after'])('%s: given twice', async (name) => {
    const { status, error } = await server.ask('GET', `/api/sites?${name}=1&${name}=1`)
    expect([status, Object.keys(error.fields)]).toEqual([400, [name]])
  })

  test.each([
    [
      { prop: 'createdAt', dir: 'desc' },
      ['x', '', '2026-13-01T00:00:00Z', `2026-01-01T00:00:00.${'1'.repeat(300)}Z`, null],
    ],
    [{ prop: '_id', dir: 'asc' }, []],
    [{ prop: 'name', dir: 'asc' }, ['a\u0000b', null]],
  ])('after: a cursor of the order %j with an impossible value', async (sort, keys) => {
    for (const key of keys) {
      const after = cursor({ ...sort, key, id: uuidv7(), account: 1 })
      const { status, error } = await list('sites', { sort, after })
      expect([status, Object.keys(error.fields)], `${key}`).toEqual([400, ['after']])
    }
  })
})

describe('events', () => {
  test('are listed newest first, filtered by door and outcome, and read-only', async () => {
    const account = await server.keyOf(server.account)
    const door = uuidv7()
    const at = (minute: number) => `2026-11-01T10:${minute.toString().padStart(2, '0')}:00.000Z`
    const ids: string[] = []
    for (const minute of [5, 1, 9, 3, 3]) {
      ids.push(
        await storeEvent(server.database, {
          account,
          occurredAt: at(minute),
          outcome: minute > 3 ? 'denied' : 'granted',
          door,
        }),
      )
    }
    const old = await storeEvent(server.database, { account, occurredAt: '2019-03-03T00:00:00.000Z' })
    const atDoors = { category: 'access' }
    const times = (await list('events', { filter: atDoors })).items.map(({ occurredAt }) => occurredAt)
    expect(times).toEqual([at(9), at(5), at(3), at(3), at(1), '2019-03-03T00:00:00.000Z'])
    const denied = await list('events', { filter: { door, outcome: 'denied' } })
    expect(denied.items.map(({ _id }) => _id)).toEqual([ids[2], ids[0]])
    const early = await list('events', {
      filter: { occurredAt: { lt: at(2) } },
      sort: { prop: 'occurredAt', dir: 'asc' },
    })
    expect(early.items.map(({ _id }) => _id)).toEqual([old, ids[1]])

    const walked: string[] = []
    let after = ''
    do {
      const { items, next } = await list('events', { filter: atDoors, size: 2, ...(after ? { after } : {}) })
      walked.push(...items.map(({ _id }) => _id))
      after = next ?? ''
    } while (after)
    expect(new Set(walked).size).toBe(6)

    const got = await server.ask('GET', `/api/events/${old}`)
    expect(got.item).toMatchObject({ _id: old, type: 'access.granted', reasons: [], data: {} })
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${old}`],
      ['DELETE', `/${old}`],
      ['PUT', `/${old}`],
    ]) {
      const refused = await server.ask(method ?? '', `/api/events${path}`, { body: {} })
      expect([404, 405]).toContain(refused.status)
    }
    expect((await list('events', { filter: atDoors })).items).toHaveLength(6)
  })
})

test.each([
  ['a', 'letters'],
  ['楼', 'CJK characters'],
  ['\u0001', 'control characters'],
])(
  'a list continues after the longest text that it is sorted by, whatever its characters: %j, %s',
  async (character) => {
    const [first, second] = [`a${character.repeat(298)}a`, `a${character.repeat(298)}b`]
    for (const address of [first, second]) await makeItem({ ask: server.ask, collection: 'sites', fields: { address } })
    const query = { size: 1, filter: { address: { in: [first, second] } }, sort: { prop: 'address', dir: 'asc' } }
    const page = await list('sites', query)
    expect(page.items.map(({ address }) => address)).toEqual([first])
    const next = await list('sites', { ...query, after: page.next ?? '' })
    expect(
      next.items.map(({ address }) => address),
      next.error.message,
    ).toEqual([second])
  },
)

/** A filter with this number of levels that matches every item. */
function nested(levels: number) {
  let filter: unknown = {}
  for (let level = 1; level < levels; level += 1) filter = { and: [filter] }
  return filter
}

function cursor(position: unknown) {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

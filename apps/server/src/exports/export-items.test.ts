import { type IncomingMessage, request as httpRequest } from 'node:http'
import { collections } from '@portcullis/contract/collections/registry'
import type { ExportRequest } from '@portcullis/contract/export-request'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { databaseIn } from '../database/test-engine.ts'
import { startTestServer } from '../test-server.ts'
import { storeEvent, storeEvents } from '../collections/test-events.ts'
import { makeItem } from '../collections/test-items.ts'
import { cellsOf, unzip } from './test-workbook.ts'

const server = await startTestServer()
afterAll(server.stop)
// The owner may not end the connections of the server's logins.
const owner = new pg.Client(databaseIn(inject('testAdminUrl'), new URL(server.databaseUrl).pathname.slice(1)))
await owner.connect()
afterAll(() => owner.end())

const account = await server.keyOf(server.account)
const sites = server.client.of(collections.sites)
const make = (fields: Record<string, unknown>) => makeItem({ ask: server.ask, collection: 'sites', fields })

const awkward = [
  'plain',
  'with, comma',
  'with "quotes"',
  "O'Brien",
  '=HYPERLINK("http://evil.example","x")',
  '+1',
  '-1',
  '@SUM(A1)',
  'مبنى الإدارة',
  '<b> & _x0041_ 🏛',
]

beforeAll(async () => {
  for (const name of awkward) await make({ name, timeZone: 'UTC', address: `${name}\nsecond line` })
})

async function textOf(request: ExportRequest, of = sites) {
  const { response } = await of.export(request)
  return readAll(response)
}

async function rowsOf(request: Omit<ExportRequest, 'format'>) {
  return z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(await textOf({ ...request, format: 'json' })))
}

/** The whole text; `Response.text` would remove the byte order mark. */
async function readAll(response: Response) {
  return Buffer.from(await response.arrayBuffer()).toString('utf8')
}

const byName = { columns: ['name'], sort: { prop: '_id', dir: 'asc' } } as const

describe('§7 export as csv', () => {
  test('has a byte order mark, a header, and one line per item, as in RFC 4180', async () => {
    const { response, fileName } = await sites.export({ ...byName, format: 'csv' })
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(fileName).toMatch(new RegExp(String.raw`^sites-${server.account}-\d{4}-\d\d-\d\d\.csv$`))
    expect(await readAll(response)).toBe(
      [
        '\uFEFFname',
        'plain',
        '"with, comma"',
        '"with ""quotes"""',
        "O'Brien",
        `"'=HYPERLINK(""http://evil.example"",""x"")"`,
        "'+1",
        "'-1",
        "'@SUM(A1)",
        'مبنى الإدارة',
        '<b> & _x0041_ 🏛',
        '',
      ].join('\r\n'),
    )
  })

  test('keeps line breaks in quotes, and escapes formulas in titles too', async () => {
    const columns = [
      { field: 'name', title: '=1+1' },
      { field: 'address' },
      { field: 'location', title: 'Where, "now"' },
    ]
    const text = await textOf({ format: 'csv', columns, filter: { name: { in: ['plain', '+1'] } }, sort: byName.sort })
    expect(text).toBe(
      `\uFEFF'=1+1,address,"Where, ""now"""\r\nplain,"plain\nsecond line",\r\n'+1,"'+1\nsecond line",\r\n`,
    )
  })

  test('has the words that the request gives for values, alone and in lists', async () => {
    await make({ name: 'worded', timeZone: 'UTC', calendars: ['ZA', 'UK'] })
    const words = { UTC: 'Hora universal', ZA: 'Sudáfrica' }
    const columns = ['timeZone', 'calendars'].map((field) => ({ field, words }))
    const filter = { name: 'worded' }
    expect(await textOf({ format: 'csv', columns, filter })).toBe(
      '\uFEFFtimeZone,calendars\r\nHora universal,"Sudáfrica, UK"\r\n',
    )
    expect(JSON.parse(await textOf({ format: 'json', columns, filter }))).toEqual([
      { timeZone: 'UTC', calendars: ['ZA', 'UK'] },
    ])
  })

  test.each([
    ['Contraseñas y más', 'contrasenas-y-mas'],
    ['"; filename=x\\..', 'filename-x'],
    ['الأبواب', 'sites'],
  ])('has a file name after its title: %s', async (title, start) => {
    const { response, fileName } = await sites.export({ ...byName, format: 'csv', title })
    // A user has at most two exports at a time.
    await readAll(response)
    expect(fileName).toMatch(new RegExp(`^${start}-${server.account}-[\\d-]+\\.csv$`))
  })

  test('without items has only the header', async () => {
    expect(await textOf({ ...byName, format: 'csv', search: 'nowhere' })).toBe('\uFEFFname\r\n')
  })
})

describe('§7 export as xlsx', () => {
  test('is a workbook whose texts are texts, under a bold header', async () => {
    const columns = ['name', { field: 'address', title: 'Address <&>' }, 'version', 'createdAt', 'location']
    const { response, fileName } = await sites.export({ format: 'xlsx', columns, sort: byName.sort })
    expect(fileName).toMatch(/\.xlsx$/)
    const files = unzip(Buffer.from(await response.arrayBuffer()))
    expect([...files.keys()].toSorted()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ])
    const sheet = files.get('xl/worksheets/sheet1.xml') ?? ''
    const cells = cellsOf(sheet)
    expect(['A1', 'B1', 'C1'].map((place) => cells.get(place))).toEqual(['name', 'Address <&>', 'version'])
    expect(awkward.map((_, index) => cells.get(`A${index + 2}`))).toEqual(awkward)
    expect(cells.get('B6')).toBe(`${awkward[4]}\nsecond line`)
    expect(cells.get('C2')).toBe(1)
    expect(cells.get('D2')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(cells.get('E2')).toBeUndefined()
    expect(sheet).not.toContain('<f>')
  })

  test.each([
    ['Festivos de <ZA> & más', 'Festivos de &lt;ZA&gt; &amp; más'],
    ["'[a]:b*?/\\'", 'a b'],
    ['"quoted"', '&quot;quoted&quot;'],
    ['/', 'sites'],
    ['x'.repeat(40), 'x'.repeat(27)],
  ])('has a sheet named after its title, as spreadsheets allow: %s', async (title, name) => {
    const { response } = await sites.export({ format: 'xlsx', columns: ['name'], title })
    const files = unzip(Buffer.from(await response.arrayBuffer()))
    expect(files.get('xl/workbook.xml')).toContain(`<sheet name="${name}" `)
  })
})

describe('§7 export as json', () => {
  test('keeps the types of values under the names of fields', async () => {
    await make({ name: 'located', location: { lat: 1.5, lng: -2 }, calendars: ['x', 'y'] })
    const columns = [{ field: 'name', title: 'Title' }, 'location', 'calendars', 'version', 'address']
    const text = await textOf({
      format: 'json',
      columns,
      filter: { name: { in: ['located', 'plain'] } },
      sort: byName.sort,
    })
    expect(JSON.parse(text)).toEqual([
      { name: 'plain', location: null, calendars: [], version: 1, address: 'plain\nsecond line' },
      { name: 'located', location: { lat: 1.5, lng: -2 }, calendars: ['x', 'y'], version: 1, address: null },
    ])
    expect(JSON.parse(await textOf({ ...byName, format: 'json', search: 'nowhere' }))).toEqual([])
    expect(await textOf({ format: 'csv', columns, filter: { name: 'located' } })).toContain(
      'located,"{""lat"":1.5,""lng"":-2}","x, y",1,',
    )
  })

  test('has all fields by default', async () => {
    const [first] = await rowsOf({ filter: { name: 'plain' } })
    expect(Object.keys(first ?? {})).toEqual(Object.keys(collections.sites.entitySchema.shape))
    expect(first).toMatchObject({ name: 'plain', account: (await server.client.me()).account?.name })
  })
})

describe('an export', () => {
  test('contains what the list shows with the same filter, sort and search', async () => {
    const query = { filter: { name: { ne: 'plain' } }, search: 'second', sort: { prop: 'name', dir: 'asc' } } as const
    const { items } = await sites.list({ ...query, size: 500 })
    const rows = await rowsOf({ ...query, columns: ['_id'] })
    expect(rows).toEqual(items.map(({ _id }) => ({ _id })))
    const newest = await rowsOf({ columns: ['_id'] })
    expect(newest).toEqual((await sites.list({ size: 500 })).items.map(({ _id }) => ({ _id })))
  })

  test('includes the accounts below only on request', async () => {
    await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch', name: 'The branch' } })
    await makeItem({ ask: server.in('branch'), collection: 'sites', fields: { name: 'Below' } })
    const request = { format: 'csv', columns: ['name', 'account'], filter: { name: 'Below' } } as const
    expect(await textOf(request)).toBe('\uFEFFname,account\r\n')
    const { response } = await sites.export(request, { allAccounts: 'yes' })
    expect(await readAll(response)).toBe('\uFEFFname,account\r\nBelow,The branch\r\n')
  })

  test('has moments in the requested time zone', async () => {
    await storeEvent(server.database, { account, occurredAt: '2024-10-27T00:30:00.000Z' })
    await storeEvent(server.database, { account, occurredAt: '2024-10-27T01:30:00.999Z' })
    const { response } = await server.client.of(collections.events).export({
      format: 'csv',
      columns: ['occurredAt'],
      filter: { occurredAt: { lt: '2025-01-01T00:00:00Z' } },
      sort: { prop: 'occurredAt', dir: 'asc' },
      timeZone: 'Europe/Oslo',
    })
    expect(await readAll(response)).toBe('\uFEFFoccurredAt\r\n2024-10-27 02:30:00\r\n2024-10-27 02:30:00\r\n')
  })

  test('has names instead of ids, and the end of the id if the item is deleted', async () => {
    const site = await make({ name: 'Head office' })
    const door = await makeItem({ ask: server.ask, collection: 'doors', site: site._id, fields: { name: 'Front' } })
    const user = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Ada' } })
    const who = [{ kind: 'User', id: user._id }]
    const where = [
      { kind: 'Door', id: door._id },
      { kind: 'Site', id: site._id },
    ]
    await makeItem({ ask: server.ask, collection: 'rules', fields: { name: 'In', who, where } })
    await makeItem({ ask: server.ask, collection: 'doorGroups', fields: { name: 'Fronts', members: [door._id] } })
    const of = async (collection: string, columns: string[]) => {
      const response = await fetch(`${server.url}/api/${collection}/export`, {
        method: 'POST',
        headers: { ...server.headers, 'x-js-account': server.account, 'content-type': 'application/json' },
        body: JSON.stringify({ format: 'csv', columns }),
      })
      return (await response.text()).split('\r\n').slice(1, -1)
    }
    expect(await of('doors', ['name', 'site', 'unit', 'enabled'])).toEqual(['Front,Head office,,true'])
    expect(await of('rules', ['who', 'where'])).toEqual(['User: Ada,"Door: Front, Site: Head office"'])
    expect(await of('doorGroups', ['name', 'members'])).toEqual(['Fronts,Front'])
    const gone = uuidv7()
    await storeEvent(server.database, { account, door: door._id })
    await storeEvent(server.database, { account, door: gone })
    expect((await of('events', ['door'])).filter(Boolean).toSorted()).toEqual([gone.slice(-8), 'Front'].toSorted())
  })

  test('has no names of items that the user may not view', async () => {
    const user = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Secret person' } })
    await makeItem({ ask: server.ask, collection: 'userGroups', fields: { name: 'Group', members: [user._id] } })
    const fields = { name: 'Rule', who: [{ kind: 'User', id: user._id }] }
    await makeItem({ ask: server.ask, collection: 'rules', fields })
    const installer = await server.signInAs({ role: 'installer' })
    const { response } = await installer.client
      .of(collections.rules)
      .export({ format: 'csv', columns: ['name', 'who'] })
    expect(await readAll(response)).toContain(`Rule,User: ${user._id.slice(-8)}\r\n`)
    const refused = await installer.ask('POST', '/api/users/export', { body: { format: 'csv' } })
    expect([refused.status, refused.error.code]).toEqual([403, 'forbidden'])
  })
})

describe('an invalid export', () => {
  const csv = { format: 'csv' }
  test.each<[string, unknown]>([
    ['format', {}],
    ['format', { format: 'pdf' }],
    ['body', []],
    ['filter', { ...csv, filter: { colour: 1 } }],
    ['filter', { ...csv, filter: 'x' }],
    ['filter', { ...csv, filter: null }],
    ['filter', { ...csv, filter: { or: Array.from({ length: 201 }, () => ({})) } }],
    ['filter', { ...csv, filter: { name: 'x'.repeat(100_000) } }],
    ['filter', `{"format":"csv","filter":{"name":{"eq":"a\\u0000b"}}}`],
    ['sort', { ...csv, sort: { prop: 'location' } }],
    ['sort.dir', { ...csv, sort: { prop: 'name', dir: 'up' } }],
    ['search', { ...csv, search: 'x'.repeat(201) }],
    ['columns', { ...csv, columns: [] }],
    ['columns', { ...csv, columns: ['colour'] }],
    ['columns', { ...csv, columns: ['constructor'] }],
    ['columns', { ...csv, columns: ['name', { field: 'name' }] }],
    ['columns', { ...csv, columns: Array.from({ length: 101 }, () => 'name') }],
    ['columns.0', { ...csv, columns: [7] }],
    ['timeZone', { ...csv, timeZone: 'Mars/Olympus' }],
    ['timeZone', { ...csv, timeZone: 'CST' }],
    ['timeZone', { ...csv, timeZone: 'US/Pacific-New' }],
    ['unheard', { ...csv, unheard: 1 }],
  ])('is a 400 that names the parameter: %s of %j', async (name, body) => {
    const { status, error } = await server.ask('POST', '/api/sites/export', { body })
    expect([status, Object.keys(error.fields)], error.message).toEqual([400, [name]])
  })

  test('is refused if another origin requests it', async () => {
    const otherOrigin = { headers: { origin: 'https://evil.example' } }
    const refused = await server.ask('POST', '/api/sites/export', { body: csv, ...otherOrigin })
    expect(refused.error.code).toBe('origin_refused')
    const { 'x-js-account': _none, ...rest } = { 'x-js-account': '', ...server.headers }
    const response = await fetch(`${server.url}/api/sites/export`, {
      method: 'POST',
      headers: { ...rest, 'content-type': 'application/json' },
      body: JSON.stringify(csv),
    })
    expect(response.status).toBe(400)
  })
})

test('an unknown time zone of an account is a 400 that names it, and blocks no other export', async () => {
  const old = await makeItem({ ask: server.ask, collection: 'accounts' })
  await owner.query(`update account set account_default_time_zone = 'CST' where account_id = $1`, [old._id])
  const ask = server.in(String(old['ref']))
  const by = encodeURIComponent(JSON.stringify([{ field: 'createdAt', bucket: 'day' }]))
  for (const { status, error } of [
    ...(await Promise.all(
      Array.from({ length: 5 }, () => ask('POST', '/api/sites/export', { body: { format: 'csv' } })),
    )),
    await ask('GET', `/api/sites/aggregate?by=${by}`),
  ]) {
    expect([status, Object.keys(error.fields)], error.message).toEqual([400, ['timeZone']])
  }
  expect((await ask('POST', '/api/sites/export', { body: { format: 'csv', timeZone: 'UTC' } })).status).toBe(200)
})

test('a failure of the database is an error response, and the server stays usable', async () => {
  await owner.query('alter table site rename column site_address to site_street')
  const { status, error } = await server.ask('POST', '/api/sites/export', { body: { format: 'csv' } })
  await owner.query('alter table site rename column site_street to site_address')
  expect([status, error.code]).toEqual([500, 'internal'])
  expect((await server.ask('POST', '/api/sites/export', { body: { format: 'csv' } })).status).toBe(200)
})

describe('a large export', () => {
  const door = uuidv7()
  const request = { format: 'json', filter: { door } } as const
  const events = server.client.of(collections.events)
  beforeAll(() => storeEvents(server.database, { account, count: 50_000, door }))

  test.each(['csv', 'xlsx', 'json'] as const)('as %s has every row', async (format) => {
    const { response } = await events.export({ ...request, format, columns: ['_id', 'occurredAt', 'outcome'] })
    const bytes = Buffer.from(await response.arrayBuffer())
    const xlsx = () => unzip(bytes).get('xl/worksheets/sheet1.xml')?.split('<row ').length ?? 0
    const rows =
      format === 'xlsx'
        ? xlsx() - 2
        : bytes.toString().split('granted').length + bytes.toString().split('denied').length - 2
    expect(rows).toBe(50_000)
  })

  test('that is cut short does not look complete', async () => {
    const { response } = await events.export(request)
    const reader = response.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    // Either between two rows, or waiting for its client once all buffers are full.
    await expect.poll(() => exportsInDatabase('pg_terminate_backend(pid)')).toHaveLength(1)
    const readToEnd = async () => {
      while (!(await reader?.read())?.done);
    }
    await expect(readToEnd()).rejects.toThrow()
    await expect.poll(() => exportsInDatabase('pid')).toEqual([])
  })

  test('ends when its client disconnects, and only a few run at once', async () => {
    const answers = await Promise.all([1, 2].map(leaveUnread))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const third = await server.ask('POST', '/api/events/export', { body: request })
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '10'])
    for (const answer of answers) answer.destroy()
    await expect.poll(() => exportsInDatabase('pid')).toEqual([])
    // Their traces are stored after that.
    const again = () => server.ask('POST', '/api/sites/export', { body: { format: 'csv' } })
    await expect.poll(async () => (await again()).status).toBe(200)
    expect((await textOf({ ...byName, format: 'csv' })).startsWith('\uFEFFname\r\n')).toBe(true)
  })

  /** A response whose body is not read, requested again until the exports of earlier tests have ended. */
  async function leaveUnread() {
    for (;;) {
      const answer = await beginExport()
      if (answer.statusCode !== 429) return answer
      answer.resume()
    }
  }

  function beginExport() {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const headers = { ...server.headers, 'x-js-account': server.account, 'content-type': 'application/json' }
    const sent = httpRequest(`${server.url}/api/events/export`, { method: 'POST', headers, agent: false }, resolve)
    sent.on('error', reject).end(JSON.stringify(request))
    return promise
  }

  async function exportsInDatabase(answer: string) {
    const { rows } = await owner.query<Record<string, unknown>>(
      `select ${answer} from pg_stat_activity
        where datname = current_database() and query like 'fetch % from exported' and state like '%transaction%'`,
    )
    return rows
  }
})

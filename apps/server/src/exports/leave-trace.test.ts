import { type IncomingMessage, request as httpRequest } from 'node:http'
import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { collections } from '@portcullis/contract/collections/registry'
import { exportFormats } from '@portcullis/contract/export-request'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { storeEvents } from '../collections/test-events.ts'
import { makeItem } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

await makeItem({ ask, collection: 'accounts', fields: { ref: 'north' } })
const north = server.in('north')

/** The entries of a user's exports, newest first. */
async function exportsBy(actor: string, by: TestUser['ask'] = north) {
  const filter = encodeURIComponent(JSON.stringify({ action: 'export', actor }))
  return (await by('GET', `/api/auditLogs?filter=${filter}`)).items
}

async function eventsOf(user: string) {
  const filter = encodeURIComponent(JSON.stringify({ user, type: 'administration.exported' }))
  return (await north('GET', `/api/events?filter=${filter}`)).items
}

test.each(exportFormats)('§3 a complete export as %s is recorded in the audit log and as an event', async (format) => {
  const person = await server.signInAs({ role: 'reportingUser', account: 'north' })
  const name = `Named ${uuidv7()}`
  for (const address of ['1 Long Street', '2 Long Street', null]) {
    await makeItem({ ask: north, collection: 'sites', fields: { name, address } })
  }
  const body = {
    format,
    filter: { name },
    sort: { prop: 'address', dir: 'asc' },
    columns: ['name', { field: 'address', title: 'Where' }],
    timeZone: 'Europe/Oslo',
  }
  expect((await person.ask('POST', '/api/sites/export', { body })).status).toBe(200)
  const [entry, ...others] = await exportsBy(person.userId)
  expect(others).toEqual([])
  expect(auditLogs.entitySchema.strict().parse(entry)).toEqual(entry)
  expect(entry).toMatchObject({
    collection: 'sites',
    item: null,
    actorName: 'A reportingUser',
    before: null,
    after: {
      format,
      filter: { name },
      sort: { prop: 'address', dir: 'asc' },
      search: null,
      columns: ['name', 'address'],
      timeZone: 'Europe/Oslo',
      allAccounts: false,
      rows: 3,
      isWhole: true,
    },
    policyVersion: null,
    undoes: null,
  })
  const [event, ...more] = await eventsOf(person.userId)
  expect(more).toEqual([])
  expect(collections.events.entitySchema.strict().parse(event)).toEqual(event)
  expect(event).toMatchObject({
    category: 'administration',
    data: { names: { user: 'A reportingUser' }, export: { collection: 'sites', format, rows: 3, isWhole: true } },
  })
})

test('exports of all accounts and in an assumed account are marked as such', async () => {
  const headers: Record<string, string>[] = [{ 'x-js-all-accounts': 'true' }, { 'x-js-assume-account': 'north' }]
  for (const each of headers) {
    await ask('POST', '/api/sites/export', { body: { format: 'csv', columns: ['name'] }, headers: each })
  }
  const [all] = await exportsBy(server.userId, ask)
  expect(all).toMatchObject({ assumedAccount: null, after: { allAccounts: true } })
  const [assumed] = await exportsBy(server.userId)
  expect(assumed).toMatchObject({ assumedAccount: assumed?.['account'], after: { allAccounts: false } })
})

test('a refused export is not audited, and the entry of an export cannot be undone', async () => {
  const person = await server.signInAs({ role: 'admin', account: 'north' })
  const refused = [
    { format: 'pdf' },
    { format: 'csv', filter: { nothing: 1 } },
    { format: 'csv', columns: ['nothing'] },
  ]
  for (const body of refused) expect((await person.ask('POST', '/api/sites/export', { body })).status).toBe(400)
  expect(await exportsBy(person.userId)).toEqual([])
  await person.ask('POST', '/api/sites/export', { body: { format: 'csv' } })
  const [entry] = await exportsBy(person.userId)
  const { status, error } = await person.ask('POST', `/api/auditLogs/${entry?._id}/undo`)
  expect([status, error.code]).toEqual([422, 'nothing_to_undo'])
})

test('an export is announced in the rooms', async () => {
  const connection = await connectTestSocket(server)
  try {
    for (const room of ['auditLog:north:*', 'event:north:*']) expect(await connection.join(room)).toBe('ok')
    const person = await server.signInAs({ role: 'reportingUser', account: 'north' })
    await person.ask('POST', '/api/sites/export', { body: { format: 'csv' } })
    const received = () => connection.received.map(({ event, body }) => [event, body['action'] ?? body['type']])
    await expect.poll(received).toEqual(
      expect.arrayContaining([
        ['auditLog:save', 'export'],
        ['event:save', 'administration.exported'],
      ]),
    )
  } finally {
    connection.close()
  }
})

describe('a client that disconnects during an export', () => {
  test('leaves a trace with the number of rows sent', async () => {
    const person = await server.signInAs({ role: 'admin', account: 'north' })
    const door = uuidv7()
    await storeEvents(server.database, { account: await server.keyOf('north'), count: 50_000, door })
    const answer = await leaveUnread(person, { format: 'json', filter: { door } })
    answer.destroy()
    const left = async () => (await exportsBy(person.userId)).map(({ after }) => after)
    await expect.poll(left).toMatchObject([{ isWhole: false, filter: { door } }])
    const [trace] = await exportsBy(person.userId)
    const rows = collectionRows(trace)
    expect(rows).toBeGreaterThanOrEqual(0)
    expect(rows).toBeLessThan(50_000)
    expect(await eventsOf(person.userId)).toMatchObject([{ data: { export: { rows, isWhole: false } } }])
  })
})

function collectionRows(entry: Record<string, unknown> | undefined) {
  return auditLogs.entitySchema.parse(entry).after?.['rows']
}

/** A response whose body is not read. */
function leaveUnread(person: Pick<TestUser, 'headers'>, body: Record<string, unknown>) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { ...person.headers, 'x-js-account': 'north', 'content-type': 'application/json' }
  const sent = httpRequest(`${server.url}/api/events/export`, { method: 'POST', headers, agent: false }, resolve)
  sent.on('error', reject).end(JSON.stringify(body))
  return promise
}

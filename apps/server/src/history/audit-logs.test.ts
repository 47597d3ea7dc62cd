import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { isAllowed, roles, rulesOfRole } from '@portcullis/contract/abilities'
import { afterAll, describe, expect, test } from 'vitest'
import { makeItem, written } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { password, startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'north' } })
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'south' } })

const path = '/api/auditLogs'

type QueryOptions = { filter?: Record<string, unknown>; by?: string[]; search?: string; size?: string }

function query({ filter = {}, by, ...texts }: QueryOptions) {
  const search = new URLSearchParams({ ...texts, filter: JSON.stringify(filter) })
  if (by) search.set('by', JSON.stringify(by))
  return search.toString()
}

async function logOf(item: string, ask: TestUser['ask'] = server.ask) {
  const { items } = await ask('GET', `${path}?${query({ filter: { item }, size: '500' })}`)
  return items
}

test.each(written)('%s: each change is an entry, newest first, as the contract describes it', async (collection) => {
  const made = await makeItem({ ask: server.ask, collection })
  const ask = collection === 'accounts' ? server.in(String(made['ref'])) : server.ask
  const change = collection === 'credentials' ? { number: 'n-2' } : { name: 'Second' }
  await ask('PATCH', `/api/${collection}/${made._id}`, { body: change })
  const entries = await logOf(made._id, ask)
  for (const entry of entries) expect(auditLogs.entitySchema.strict().parse(entry)).toEqual(entry)
  expect(entries).toMatchObject([
    { collection, action: 'patch', after: change, actor: server.userId, assumedAccount: null },
    { collection, action: 'create', before: null, after: made, actor: server.userId, assumedAccount: null },
  ])
})

describe('the audit log', () => {
  test('supports list, count, get and aggregate by collection, item, actor, action and moment', async () => {
    const { ask, userId } = await server.signInAs({ role: 'admin' })
    const site = await makeItem({ ask, collection: 'sites' })
    await ask('DELETE', `/api/sites/${site._id}`)
    const [deleted, created] = await logOf(site._id)
    const filters = [
      { actor: userId },
      { collection: 'sites', actor: userId, at: { gte: String(created?.['at']) } },
      { item: { in: [site._id] }, action: { ne: 'patch' } },
    ]
    for (const filter of filters) {
      const { items } = await server.ask('GET', `${path}?${query({ filter })}`)
      expect(items, JSON.stringify(filter)).toEqual([deleted, created])
      expect((await server.ask('GET', `${path}/count?${query({ filter })}`)).json).toEqual({
        count: 2,
        exact: true,
      })
    }
    const filter = { item: site._id, action: 'delete' }
    expect((await server.ask('GET', `${path}?${query({ filter })}`)).items).toEqual([deleted])
    expect((await server.ask('GET', `${path}/${deleted?._id}`)).json).toEqual(deleted)
    const counted = await server.ask(
      'GET',
      `${path}/aggregate?${query({ filter: { item: site._id }, by: ['action'] })}`,
    )
    expect(counted.json).toEqual({
      rows: [
        { action: 'create', count: 1 },
        { action: 'delete', count: 1 },
      ],
    })
  })

  test('§7 refuses every call that writes', async () => {
    const site = await makeItem({ ask: server.ask, collection: 'sites' })
    const [entry] = await logOf(site._id)
    for (const [method, target] of [
      ['POST', path],
      ['PATCH', `${path}/${entry?._id}`],
      ['DELETE', `${path}/${entry?._id}`],
    ] as const) {
      expect((await server.ask(method, target, { body: {} })).status, method).toBe(405)
    }
    expect(await logOf(site._id)).toEqual([entry])
  })
})

test.each(roles)('§6 only users who may view Audit Logs read it, in their account only: %s', async (role) => {
  const may = isAllowed(rulesOfRole(role), { action: 'view', subject: 'Audit Logs' })
  const reader = await server.signInAs({ role, account: 'north' })
  const own = await makeItem({ ask: server.in('north'), collection: 'sites' })
  const outOfScope = await makeItem({ ask: server.in('south'), collection: 'sites' })
  const [[entry], [other]] = [await logOf(own._id, server.in('north')), await logOf(outOfScope._id, server.in('south'))]
  const answers = [
    await reader.ask('GET', path),
    await reader.ask('GET', `${path}/${entry?._id}`),
    await reader.ask('GET', `${path}/${other?._id}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual(may ? [200, 200, 404] : [403, 403, 403])
  expect(answers[0]?.items.map(({ item }) => item)).not.toContain(outOfScope._id)
})

test('the name of the actor stays as it was', async () => {
  const { ask, userId } = await server.signInAs({ role: 'admin' })
  await server.ask('PATCH', `/api/users/${userId}`, { body: { name: 'Ann Before' } })
  const site = await makeItem({ ask, collection: 'sites' })
  await server.ask('PATCH', `/api/users/${userId}`, { body: { name: 'Ann After' } })
  expect(await logOf(site._id)).toMatchObject([{ actor: userId, actorName: 'Ann Before' }])
  const { items } = await server.ask('GET', `${path}?${query({ search: 'ann bef', filter: { item: site._id } })}`)
  expect(items).toHaveLength(1)
})

test('contains no secrets', async () => {
  await server.signInAs({ role: 'admin' })
  const { items } = await server.ask('GET', `${path}?size=500`, { headers: { 'x-js-all-accounts': 'true' } })
  expect(items.length).toBeGreaterThan(10)
  expect(JSON.stringify(items)).not.toMatch(/argon2|hash|secret/i)
  expect(JSON.stringify(items)).not.toContain(password)
})

test('§7 its room receives each entry, with the same body as GET', async () => {
  const connection = await connectTestSocket({ url: server.url, headers: server.headers })
  try {
    expect(await connection.join(`auditLog:${server.account}:*`)).toBe('ok')
    const site = await makeItem({ ask: server.ask, collection: 'sites' })
    const [entry] = await logOf(site._id)
    const received = () => connection.received.find(({ body }) => body._id === entry?._id)
    await expect.poll(received).toEqual({ event: 'auditLog:save', body: entry })
  } finally {
    connection.close()
  }
})

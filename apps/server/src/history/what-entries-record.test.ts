import { isAllowed, roles, rulesOfRole } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeItem, type Written, written } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const path = '/api/auditLogs'
const readers = roles.filter((role) => isAllowed(rulesOfRole(role), { action: 'view', subject: 'Audit Logs' }))
const subjectOf = (name: Written) => (collections[name] satisfies Collection).subject

const email = 'nomsa@people.example'
const user = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Nomsa Dlamini', email } })
await server.ask('PATCH', `/api/users/${user._id}`, { body: { title: 'Night guard' } })
const leaver = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Nomsa Leaver' } })
await server.ask('DELETE', `/api/users/${leaver._id}`)
await exported(server, { collection: 'users', filter: { email } })

const query = (parameters: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()

test('some roles that read the audit log may not view all items in it', () => {
  expect(readers).toEqual(['admin', 'accountManager', 'reportingUser'])
})

describe.each(readers)('§6 an entry shows only what the role may view: %s', (role) => {
  const mayView = (name: Written) => isAllowed(rulesOfRole(role), { action: 'view', subject: subjectOf(name) })

  test.each(written)('of %s', async (collection) => {
    const made = await makeItem({ ask: server.ask, collection })
    const inside = collection === 'accounts' ? String(made['ref']) : server.account
    const reader = await server.signInAs({ role, account: inside })
    const url = `${path}?${query({ filter: { item: made._id } })}`
    const { items: whole } = await server.in(inside)('GET', url)
    const { items: read, page } = await reader.ask('GET', url)
    expect(whole).toMatchObject([{ before: null, after: { _id: made._id } }])
    const hidden = mayView(collection) ? {} : { before: null, after: null }
    expect(read).toEqual(whole.map((entry) => ({ ...entry, ...hidden })))
    expect(page['totalElements']).toBe(1)
    expect((await reader.ask('GET', `${path}/${read[0]?._id}`)).json).toEqual(read[0])
  })

  test('names, emails and roles of users: in lists, by any filter, and in files', async () => {
    const person = await server.signInAs({ role })
    const may = mayView('users')
    const filter = { collection: 'users', item: { in: [user._id, leaver._id] } }
    const found = await person.ask('GET', `${path}?${query({ filter })}`)
    expect(found.items.map(({ action }) => action)).toEqual(['delete', 'create', 'patch', 'create'])
    expect(found.items.map(({ before, after }) => before !== null || after !== null)).toEqual(Array(4).fill(may))
    const counted = await person.ask('GET', `${path}/aggregate?${query({ filter, by: ['action'] })}`)
    expect(counted.json).toEqual({
      rows: [
        { action: 'create', count: 2 },
        { action: 'delete', count: 1 },
        { action: 'patch', count: 1 },
      ],
    })
    const { json: all } = await person.ask('GET', `${path}?size=500`)
    const texts = [JSON.stringify(all), await exported(person, { collection: 'auditLogs' })]
    for (const text of texts) {
      for (const secret of [email, 'Nomsa', 'Night guard', '"hyper"']) expect(text.includes(secret), secret).toBe(may)
    }
  })

  test('in its room', async () => {
    const person = await server.signInAs({ role })
    const connection = await connectTestSocket({ url: server.url, headers: person.headers })
    onTestFinished(connection.close)
    expect(await connection.join(`auditLog:${server.account}:*`)).toBe('ok')
    const made = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Heard of' } })
    const entry = () => connection.received.find(({ body }) => body['item'] === made._id)?.body
    const after = mayView('users') ? { name: 'Heard of' } : null
    await expect.poll(entry).toMatchObject({ collection: 'users', action: 'create', after })
  })
})

test('§2 a role that may view more rereads its room', async () => {
  const scopes = await Promise.all(
    readers.map(async (role) => {
      const { headers } = await server.signInAs({ role })
      const connection = await connectTestSocket({ url: server.url, headers })
      onTestFinished(connection.close)
      const { rooms } = await connection.resume({
        since: null,
        rooms: [{ room: `auditLog:${server.account}:*`, scope: null }],
      })
      return rooms[0]?.scope
    }),
  )
  expect(new Set(scopes).size).toBe(readers.length)
})

type File = { collection: string; filter?: Record<string, unknown> }

async function exported({ headers }: Pick<TestUser, 'headers'>, { collection, ...body }: File) {
  const response = await fetch(`${server.url}/api/${collection}/export`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'x-js-account': server.account },
    body: JSON.stringify({ format: 'json', ...body }),
  })
  expect(response.status).toBe(200)
  return response.text()
}

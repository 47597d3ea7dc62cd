import sql, { type Sql } from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startOwnServer } from '../test-server.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startSecondServer } from '../test-servers.ts'

const server = await startOwnServer()
const other = await startSecondServer(server.databaseUrl)
afterAll(async () => {
  await other.stop()
  await server.stop()
})
const bothUrls = [server.url, other.url]
const change = (query: Sql) => server.database.asSystem((tx) => tx.run(query))

let count = 0

/** A tree of its own for each test: `middle` below `top`, `low` below `middle`, and `beside` below `top`. */
async function makeTree() {
  count += 1
  const make = async (name: string, above: string) => {
    const ref = `${name}-${count}`
    const { _id } = await makeItem({ ask: server.in(above), collection: 'accounts', fields: { ref, name: ref } })
    return { ref, _id, ask: server.in(ref) }
  }
  const top = await make('top', 'main')
  const [middle, beside] = [await make('middle', top.ref), await make('beside', top.ref)]
  return { top, middle, beside, low: await make('low', middle.ref) }
}

type Tree = Awaited<ReturnType<typeof makeTree>>
type Person = { userId: string }
type Place = 'top' | 'middle' | 'low'
type Notice = { at: Place; by: (tree: Tree, person: Person) => Promise<unknown>; alsoBeside?: true }

const setStatus = ({ top, middle }: Tree, verb: 'suspend' | 'restore') =>
  top.ask('POST', `/api/accounts/${middle._id}/${verb}`)
const membership = (changes: Sql, { userId }: Person) =>
  change(sql`update membership set ${changes} where membership_user = ${userId}`)
const inASecond = sql`clock_timestamp() + interval '1 second'`

const notices: Record<string, Notice> = {
  'a role is lowered': {
    at: 'middle',
    by: ({ middle }, { userId }) => middle.ask('PATCH', `/api/users/${userId}`, { body: { role: 'appUser' } }),
  },
  'a membership runs out by the clock': {
    at: 'middle',
    by: (_, person) => membership(sql`membership_valid_until = ${inASecond}`, person),
  },
  'an account below is made': {
    at: 'top',
    by: ({ low }) => makeItem({ ask: low.ask, collection: 'accounts', fields: { ref: `new-${count}` } }),
  },
  'an account below is deleted': {
    at: 'top',
    by: ({ low }) => low.ask('DELETE', `/api/accounts/${low._id}`),
  },
  'an account below is renamed': {
    at: 'top',
    by: ({ low }) => low.ask('PATCH', `/api/accounts/${low._id}`, { body: { name: 'Another name' } }),
  },
  'one’s own account is renamed': {
    at: 'low',
    by: ({ low }) => low.ask('PATCH', `/api/accounts/${low._id}`, { body: { name: 'Another name' } }),
  },
  'an account below is moved away': {
    at: 'middle',
    by: ({ top, beside, low }) => top.ask('POST', `/api/accounts/${low._id}/move`, { body: { parent: beside._id } }),
    alsoBeside: true,
  },
  'an account below is suspended': { at: 'top', by: (tree) => setStatus(tree, 'suspend') },
  'the account above begins to ask for codes': {
    at: 'low',
    by: ({ middle }) => middle.ask('POST', `/api/accounts/${middle._id}/enforceMFA`, { body: { enforce: true } }),
  },
}

test.each(Object.entries(notices))(
  '§6 %s: the users concerned are notified once, in no room and on every server, and no others',
  async (_, { at, by, alsoBeside }) => {
    const urls = bothUrls
    const tree = await makeTree()
    const person = await server.signInAs({ role: 'admin', account: tree[at].ref })
    const bystander = await server.signInAs({ role: 'admin', account: tree.beside.ref })
    const [connections, bystanders] = [await connectionsOf(urls, person), await connectionsOf(urls, bystander)]
    await settledFor([...connections, ...bystanders], urls)

    await by(tree, person)
    for (const connection of connections) await expect.poll(() => noticesTo(connection)).toBe(1)
    await settled(urls)
    expect(connections.map(noticesTo)).toEqual([1, 1])
    expect(bystanders.map(noticesTo)).toEqual(alsoBeside ? [1, 1] : [0, 0])
  },
)

test('§6 the account above is suspended and restored: a user with another account beside it is notified of both', async () => {
  const urls = bothUrls
  const tree = await makeTree()
  const person = await alsoBeside(tree)
  const connections = await connectionsOf(urls, person)
  await settledFor(connections, urls)
  await setStatus(tree, 'suspend')
  await expect.poll(() => connections.map(noticesTo)).toEqual([1, 1])
  expect((await person.in(tree.low.ref)('GET', '/api/sites')).error.code).toBe('account_refused')
  await setStatus(tree, 'restore')
  await expect.poll(() => connections.map(noticesTo)).toEqual([2, 2])
  expect((await person.in(tree.low.ref)('GET', '/api/sites')).status).toBe(200)
})

test('§6 a right that begins by the clock is notified', async () => {
  const urls = [server.url]
  const tree = await makeTree()
  const person = await server.signInAs({ role: 'admin', account: tree.low.ref })
  await membership(sql`membership_valid_from = now() + interval '1 hour'`, person)
  const connections = await connectionsOf(urls, person)
  await settledFor(connections, urls)
  await membership(sql`membership_valid_from = ${inASecond}`, person)
  await expect.poll(() => connections.map(noticesTo)).toEqual([1])
  expect((await person.in(tree.low.ref)('GET', '/api/sites')).status).toBe(200)
})

/** A user in the lowest account, and in the one beside those above it. */
async function alsoBeside({ low, beside }: Tree) {
  const person = await server.signInAs({ role: 'admin', account: low.ref })
  await change(sql`insert into membership (membership_user, membership_account, membership_role)
    select ${person.userId}, account_key, 'admin' from account where account_ref = ${beside.ref}`)
  return person
}

/**
 * Both servers have checked everything that was changed before: other users receive their changes, one after the other.
 * Their own connection may be notified as well, so it is more of these than two.
 */
async function settled(urls: readonly string[]) {
  const witness = await server.signInAs({ role: 'admin' })
  const connections = await connectionsOf(urls, witness)
  // No role returns after one other: read together, two such changes are none, and send no notice.
  for (const role of ['installer', 'accessManager', 'admin', 'installer']) {
    const before = connections.map((connection) => [connection, noticesTo(connection)] as const)
    await change(sql`update membership set membership_role = ${role} where membership_user = ${witness.userId}`)
    for (const [connection, earlier] of before) await expect.poll(() => noticesTo(connection)).toBeGreaterThan(earlier)
  }
  for (const connection of connections) connection.close()
}

type Connections = Awaited<ReturnType<typeof connectionsOf>>

/** No more notices of earlier changes, which a new connection may just have missed. */
async function settledFor(connections: Connections, urls: readonly string[]) {
  await settled(urls)
  for (const { notices: received } of connections) received.length = 0
}

/** How often they were notified that rights have changed. */
function noticesTo({ notices: received }: Connections[number]) {
  return received.filter(([notice]) => notice === 'rights').length
}

async function connectionsOf(urls: readonly string[], { headers }: { headers: Record<string, string> }) {
  const connections = await Promise.all(urls.map((url) => connectTestSocket({ url, headers })))
  onTestFinished(() => {
    for (const connection of connections) connection.close()
  })
  return connections
}

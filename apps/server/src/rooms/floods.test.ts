import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { Live } from '@portcullis/client/live'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { ChangeFeed } from '../changes/change-feed.ts'
import { recordChanges } from '../changes/record-change.ts'
import { Database } from '../database/database.ts'
import { openSession } from '../sessions/session-store.ts'
import { startOwnServer } from '../test-server.ts'
import { attachRooms } from './rooms.ts'
import { happen } from './test-events.ts'
import { connectTestSocket } from '../test-socket.ts'
import { openGate } from '../test-servers.ts'

const server = await startOwnServer()
afterAll(server.stop)
const patience = { timeout: 120_000 }
const main = await server.keyOf('main')

test('§1 a flood of events reaches every connection, once and in order', async () => {
  const connections = await Promise.all(Array.from({ length: 5 }, () => connectionAt(server.url, server.headers)))
  const ids: string[] = []
  for (let frame = 0; frame < 150; frame++) ids.push(...(await happen(server.database, { account: main, count: 20 })))
  // The sign-in before it is an event, too.
  const flood = connections.map(
    ({ received }) =>
      () =>
        received.filter(({ body }) => body['type'] === 'access.granted'),
  )
  for (const received of flood) await expect.poll(() => received().length, patience).toBe(ids.length)
  for (const received of flood) expect(received().map(({ body }) => body._id)).toEqual(ids)
})

test('§1 a client that does not read is disconnected, delays no other, and receives everything on return', async () => {
  const gate = await openGate(server.url)
  const live = new Live({ baseUrl: gate.url, appVersion: 'test', headers: server.headers })
  onTestFinished(() => live.close())
  const [received, gaps]: [string[], string[]] = [[], []]
  live.follow({
    entity: 'event',
    accountRef: 'main',
    onSave: (event) => void received.push(z.object({ _id: z.string() }).parse(event)._id),
    onRemove() {},
    onGap: () => void gaps.push('gap'),
  })
  await expect.poll(() => gaps, patience).toEqual(['gap'])
  const witness = await connectionAt(server.url, server.headers)
  server.app.server.closeIdleConnections()
  await expect.poll(connections, patience).toBe(2)
  gate.hang()
  const ids: string[] = []
  while ((await connections()) === 2 && ids.length < 950) {
    ids.push(...(await happen(server.database, { account: main, count: 50, detail: 'x'.repeat(24 * 1024) })))
    await expect.poll(() => witness.received.length, patience).toBe(ids.length)
  }
  expect(await connections()).toBe(1)
  // They notice when they read again, and by then many changes were made.
  gate.open()
  await expect.poll(() => received, patience).toEqual(ids)
  expect(witness.received.map(({ body }) => body._id)).toEqual(ids)
  expect(gaps).toEqual(['gap'])
})

test('a connection without a live session is refused once, and closed', async () => {
  const { received, closed, send } = rawConnection({ cookie: `portcullis=${'A'.repeat(43)}` })
  send('40')
  await closed
  expect(received.slice(1)).toEqual(['44{"message":"unauthenticated"}'])
})

test('a connection that sends a second handshake is closed', async () => {
  const { received, closed, send } = rawConnection(server.headers)
  send('40')
  send('40')
  await closed
  expect(received.length).toBeLessThan(3)
})

test.each([
  ['messages', 1_001, (socket: WebSocket) => socket.send('3')],
  ['pings', 1_001, (socket: WebSocket) => socket.ping()],
  ['long messages', 100, (socket: WebSocket) => socket.send(`42["resume","${'x'.repeat(10_000)}"]`)],
])('a connection that floods the server with %s is closed, and no other', async (_, most, flood) => {
  const witness = await connectionAt(server.url, server.headers)
  const { socket, closed, opened } = rawConnection(server.headers)
  await opened
  for (let count = 0; count < most; count += 1) flood(socket)
  await closed
  expect(await witness.join('site:main:*')).toBe('ok')
})

/** A WebSocket that sends packets of the protocol below socket.io, as an attacker would. */
function rawConnection(headers: Record<string, string>) {
  const url = `${server.url.replace('http', 'ws')}/primus/?EIO=4&transport=websocket`
  const socket = new WebSocket(url, { headers })
  onTestFinished(() => socket.terminate())
  const received: string[] = []
  socket.on('message', (data: Buffer) => void received.push(data.toString()))
  socket.on('error', () => {})
  const opened = new Promise<void>((resolve) => socket.once('open', () => resolve()))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, received, opened, closed, send: (packet: string) => void opened.then(() => socket.send(packet)) }
}

/** The number of connections to the server, of any kind. */
function connections() {
  return promisify(server.app.server.getConnections).call(server.app.server)
}

/** Counts how often items are read for delivery. */
class CountingDatabase extends Database {
  reads = 0

  override ask(...input: Parameters<Database['ask']>) {
    this.reads += 1
    return super.ask(...input)
  }
}

test('§2 a change is read once for all clients with the same scope', async () => {
  const database = new CountingDatabase({ logins: server.logins, connections: 4 })
  const feed = new ChangeFeed({ database, logins: server.logins })
  await feed.start()
  const http = createServer()
  const rooms = attachRooms({
    server: http,
    database,
    feed,
    publicUrl: undefined,
    trustedProxies: [],
    onRefused: () => {},
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await rooms.close()
    await feed.stop()
    await database.close()
  })
  const { port } = z.object({ port: z.int() }).parse(http.address())
  const audience = ['admin', 'accountManager'].flatMap((role) => Array.from({ length: 20 }, () => role))
  const connections = await Promise.all(
    audience.map(async (role) => {
      const headers = { cookie: `portcullis=${await sessionOf(role)}` }
      return { role, ...(await connectionAt(`http://127.0.0.1:${port}`, headers, 'credential:main:*')) }
    }),
  )
  const ids = Array.from({ length: 5 }, () => uuidv7())
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into credential (credential_id, credential_account, credential_kind, credential_number,
        credential_status) select id, ${main}, 'iButton', id::text, 'active' from unnest(${ids}::uuid[]) id`)
    const change = { account: main, collection: 'credentials', action: 'save' as const, isPolicy: false }
    await recordChanges(
      tx,
      ids.map((item) => ({ ...change, item })),
    )
  })
  feed.hint()
  for (const { role, received } of connections) {
    const expected = ids.map((id) => [id, role === 'admin' ? id : null])
    await expect.poll(() => received.map(({ body }) => [body._id, body['number']]), patience).toEqual(expected)
  }
  // Two scopes.
  expect(database.reads).toBe(2)
})

async function sessionOf(role: string) {
  const id = uuidv7()
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`insert into person (person_id, person_home, person_name, person_email, person_verified)
      values (${id}, ${main}, 'One of many', ${`${id}@people.example`}, true)`)
    await tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${id}, ${main}, ${role})`)
  })
  return openSession(server.database, { person: id, address: '127.0.0.1', device: undefined })
}

async function connectionAt(url: string, headers: Record<string, string>, room = 'event:main:*') {
  const connection = await connectTestSocket({ url, headers })
  onTestFinished(connection.close)
  expect(await connection.join(room)).toBe('ok')
  return connection
}

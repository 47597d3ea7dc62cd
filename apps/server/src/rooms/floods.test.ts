import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { Live } from '@portcullis/client/live'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ChangeFeed } from '../changes/change-feed.ts'
import { recordChanges } from '../changes/record-change.ts'
import { Database } from '../database/database.ts'
import { openSession } from '../sessions/session-store.ts'
import { startOwnServer } from '../test-server.ts'
import { attachRooms } from './rooms.ts'
import { happen } from './test-events.ts'
import { connectGuest } from '../test-guest.ts'
import { openGate } from '../test-servers.ts'

const server = await startOwnServer()
afterAll(server.stop)
const patience = { timeout: 120_000 }
const main = await server.keyOf('main')

test('§1 a flood of events is heard by everybody, once and in order', async () => {
  const guests = await Promise.all(Array.from({ length: 5 }, () => guestAt(server.url, server.headers)))
  const ids: string[] = []
  for (let frame = 0; frame < 150; frame++) ids.push(...(await happen(server.database, { account: main, count: 20 })))
  // The sign-in before it is an event, too.
  const flood = guests.map(
    ({ heard }) =>
      () =>
        heard.filter(({ body }) => body['type'] === 'access.granted'),
  )
  for (const heard of flood) await expect.poll(() => heard().length, patience).toBe(ids.length)
  for (const heard of flood) expect(heard().map(({ body }) => body._id)).toEqual(ids)
})

test('§1 who does not read is waited for by nobody and let go, and is told of everything when they are back', async () => {
  const gate = await openGate(server.url)
  const live = new Live({ baseUrl: gate.url, appVersion: 'test', headers: server.headers })
  onTestFinished(() => live.close())
  const [heard, gaps]: [string[], string[]] = [[], []]
  live.follow({
    entity: 'event',
    accountRef: 'main',
    onSave: (event) => void heard.push(z.object({ _id: z.string() }).parse(event)._id),
    onRemove() {},
    onGap: () => void gaps.push('gap'),
  })
  await expect.poll(() => gaps, patience).toEqual(['gap'])
  const witness = await guestAt(server.url, server.headers)
  server.app.server.closeIdleConnections()
  await expect.poll(connections, patience).toBe(2)
  gate.hang()
  const ids: string[] = []
  while ((await connections()) === 2 && ids.length < 950) {
    ids.push(...(await happen(server.database, { account: main, count: 50, detail: 'x'.repeat(24 * 1024) })))
    await expect.poll(() => witness.heard.length, patience).toBe(ids.length)
  }
  expect(await connections()).toBe(1)
  // They notice when they read again, and by then much has happened.
  gate.open()
  await expect.poll(() => heard, patience).toEqual(ids)
  expect(witness.heard.map(({ body }) => body._id)).toEqual(ids)
  expect(gaps).toEqual(['gap'])
})

/** How many are connected to the server, by whatever means. */
function connections() {
  return promisify(server.app.server.getConnections).call(server.app.server)
}

/** Counts how often items are read for somebody. */
class CountingDatabase extends Database {
  reads = 0

  override ask(...asked: Parameters<Database['ask']>) {
    this.reads += 1
    return super.ask(...asked)
  }
}

test('§2 what is told is read once for all who see it alike, however many they are', async () => {
  const database = new CountingDatabase({ databaseUrl: server.databaseUrl, connections: 4 })
  const feed = new ChangeFeed({ database, databaseUrl: server.databaseUrl })
  await feed.start()
  const http = createServer()
  const rooms = attachRooms({ server: http, database, feed, publicUrl: undefined })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await rooms.close()
    await feed.stop()
    await database.close()
  })
  const { port } = z.object({ port: z.int() }).parse(http.address())
  const audience = ['admin', 'accountManager'].flatMap((role) => Array.from({ length: 20 }, () => role))
  const guests = await Promise.all(
    audience.map(async (role) => {
      const headers = { cookie: `portcullis=${await sessionOf(role)}` }
      return { role, ...(await guestAt(`http://127.0.0.1:${port}`, headers, 'credential:main:*')) }
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
  for (const { role, heard } of guests) {
    const expected = ids.map((id) => [id, role === 'admin' ? id : null])
    await expect.poll(() => heard.map(({ body }) => [body._id, body['number']]), patience).toEqual(expected)
  }
  // Two ways to see them.
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

async function guestAt(url: string, headers: Record<string, string>, room = 'event:main:*') {
  const guest = await connectGuest({ url, headers })
  onTestFinished(guest.close)
  expect(await guest.join(room)).toBe('ok')
  return guest
}

import { Live } from '@portcullis/client/live'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { request, startOwnServer } from '../test-server.ts'
import { happen } from './test-events.ts'
import { connectTestSocket } from '../test-socket.ts'
import { openGate, spawnAnotherServer, startAnotherServer } from '../test-servers.ts'

const server = await startOwnServer()
afterAll(server.stop)
const silent = await startOwnServer({ databaseNotify: 'off' })
afterAll(silent.stop)
const patience = { timeout: 120_000 }
const main = await server.keyOf('main')

test('§2 a change through one server reaches clients connected to another', async () => {
  const { url } = await startAnotherServer(server.databaseUrl)
  const connection = await connectionAt(url)
  const askOther = (method: string, path: string, body?: unknown) =>
    request(`${url}${path}`, { method, body, headers: { 'x-js-account': 'main', ...server.headers } })
  const { _id } = await makeItem({ ask: server.ask, collection: 'sites' })
  await askOther('PATCH', `/api/sites/${_id}`, { name: 'Changed over there' })
  await expect.poll(() => connection.received.at(-1)?.body['name'], patience).toBe('Changed over there')
  await server.ask('DELETE', `/api/sites/${_id}`)
  await expect.poll(() => connection.of(_id).at(-1), patience).toBe('site:remove')
})

test('§1 without NOTIFY in the database everything is still received, once and in order', async () => {
  const { url } = await startAnotherServer(silent.databaseUrl, { databaseNotify: 'off' })
  const connection = await connectionAt(url, silent)
  const ids: string[] = []
  for (let site = 0; site < 5; site++) ids.push((await makeItem({ ask: silent.ask, collection: 'sites' }))._id)
  await expect.poll(() => connection.received.map(({ body }) => body._id), patience).toEqual(ids)
})

test('§1 a server that is killed in the middle of its work loses nothing that it had committed', async () => {
  const connection = await connectionAt(server.url)
  const { url, kill } = await spawnAnotherServer(server.databaseUrl)
  const headers = { 'x-js-account': 'main', ...server.headers }
  let sent = 0
  const people = Array.from({ length: 4 }, async () => {
    for (;;) {
      const body = { name: `Of the killed ${sent++}`, timeZone: 'UTC' }
      const answer = await request(`${url}/api/sites`, { method: 'POST', headers, body }).catch(() => undefined)
      if (answer === undefined) return
    }
  })
  await expect.poll(() => connection.received.length, { ...patience, interval: 1 }).toBeGreaterThan(10)
  await kill()
  await Promise.all(people)
  const { items } = await server.ask('GET', '/api/sites?search=Of the killed&size=500')
  const received = () => connection.received.filter(({ body }) => String(body['name']).startsWith('Of the killed'))
  const committed = items.map(({ _id }) => _id).toSorted(byText)
  await expect
    .poll(
      () =>
        received()
          .map(({ body }) => body._id)
          .toSorted(byText),
      patience,
    )
    .toEqual(committed)
})

test('§2 clients of a killed server receive the missed changes from the next one, once and in order', async () => {
  const first = await spawnAnotherServer(server.databaseUrl)
  const gate = await openGate(first.url)
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
  const before = await happen(server.database, { account: main, count: 50 })
  await expect.poll(() => received.length, { ...patience, interval: 1 }).toBeGreaterThan(0)
  await first.kill()
  // The client finds a server that has started: one that is still busy lets it read again instead.
  gate.shut()
  const missed = await happen(server.database, { account: main, count: 50 })
  await spawnAnotherServer(server.databaseUrl, Number(new URL(first.url).port))
  await expect.poll(async () => (await fetch(`${first.url}/health/ready`)).status, patience).toBe(200)
  gate.open()
  await expect.poll(() => received, patience).toEqual([...before, ...missed])
  const later = await happen(server.database, { account: main, count: 5 })
  await expect.poll(() => received, patience).toEqual([...before, ...missed, ...later])
  expect(gaps).toEqual(['gap'])
})

test.each(['shut', 'hang'] as const)(
  '§2 a server that cannot look up rights (%s) sends nothing, reports this, and continues as soon as it can',
  async (how) => {
    const gate = await openGate(server.databaseUrl)
    const { url } = await startAnotherServer(gate.url)
    const [person, suspended] = [await server.signInAs({ role: 'admin' }), await server.signInAs({ role: 'admin' })]
    const [connection, gone] = [await connectionAt(url, person), await connectionAt(url, suspended)]
    const witness = await connectionAt(server.url)
    const before = await site()
    for (const each of [connection, gone, witness])
      await expect.poll(() => each.of(before), patience).toEqual(['site:save'])
    gate[how]()
    await server.ask('PATCH', `/api/users/${suspended.userId}`, { body: { status: 'suspended' } })
    const missed = [await site(), await site(), await site()]
    await expect.poll(() => witness.of(missed[2] ?? ''), patience).toEqual(['site:save'])
    await expect.poll(() => connection.notices.at(-1), patience).toEqual(['stalled', undefined])
    expect(connection.of(missed[0] ?? '')).toEqual([])
    gate.open()
    await expect.poll(() => connection.received.map(({ body }) => body._id), patience).toEqual([before, ...missed])
    await expect.poll(() => connection.notices.at(-1)?.[0], patience).toBe('position')
    await expect.poll(() => gone.notices.map(([notice]) => notice), patience).toContain('ended')
    expect(gone.received.map(({ body }) => body._id)).toEqual([before])
  },
)

async function site() {
  return (await makeItem({ ask: server.ask, collection: 'sites' }))._id
}

async function connectionAt(url: string, { headers }: { headers: Record<string, string> } = server) {
  const connection = await connectTestSocket({ url, headers })
  onTestFinished(connection.close)
  expect(await connection.join('site:main:*')).toBe('ok')
  return connection
}

function byText(one: string, other: string) {
  return one < other ? -1 : 1
}

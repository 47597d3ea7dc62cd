import { request as httpRequest } from 'node:http'
import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startOwnServer } from '../test-server.ts'
import { Database } from './database.ts'
import { databaseIn } from './test-engine.ts'

const server = await startOwnServer()
// The owner does not see what other logins do.
const owner = new pg.Client(databaseIn(inject('testAdminUrl'), new URL(server.databaseUrl).pathname.slice(1)))
await owner.connect()
afterAll(async () => {
  await owner.end()
  await server.stop()
})
await makeItem({ ask: server.ask, collection: 'sites' })

/** Much less than the time limits of statements, which would end them too. */
const soon = { timeout: 4_000 }

describe('a client that disconnects', () => {
  test.each([
    { call: 'a list', method: 'GET', path: '/api/sites', body: undefined },
    { call: 'a count', method: 'GET', path: '/api/sites/count', body: undefined },
    { call: 'an export', method: 'POST', path: '/api/sites/export', body: { format: 'csv' } },
  ])('ends the statement of $call, and the next request works', async ({ method, path, body }) => {
    await owner.query(
      `create policy slow on site as restrictive for select to portcullis_web using (pg_sleep(9)::text is not null)`,
    )
    const client = httpRequest(`${server.url}${path}`, {
      method,
      headers: { ...server.headers, 'x-js-account': 'main', 'content-type': 'application/json' },
    })
    client.on('error', () => {})
    client.end(body && JSON.stringify(body))
    await expect.poll(sleeping).toBe(1)
    client.destroy()
    await expect.poll(sleeping, soon).toBe(0)
    await owner.query('drop policy slow on site')
    const answers = await Promise.all(Array.from({ length: 6 }, () => server.ask('GET', '/api/sites')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  })

  test('does not disturb later statements on the same connection, whenever it disconnects', async () => {
    const database = new Database({ logins: server.logins, connections: 1 })
    const scope = { accounts: [], holds: sql`true` }
    for (let round = 0; round < 100; round += 1) {
      const controller = new AbortController()
      const short = database.ask({ ...scope, signal: controller.signal }, [sql`select pg_sleep(0.003)`])
      setTimeout(() => controller.abort(), round % 7)
      await short.catch(() => undefined)
      expect(await database.ask(scope, [sql`select ${String(round)}`])).toEqual([[[String(round)]]])
    }
    await database.close()
  })

  test('leaves a write alone', async () => {
    const client = httpRequest(`${server.url}/api/sites`, {
      method: 'POST',
      headers: { ...server.headers, 'x-js-account': 'main', 'content-type': 'application/json' },
    })
    client.on('error', () => {})
    await owner.query('begin; lock table site in exclusive mode')
    client.end(JSON.stringify({ name: 'Written all the same', timeZone: 'UTC' }))
    await expect.poll(waiting).toBe(1)
    const before = await connections()
    client.destroy()
    await expect.poll(connections).toBeLessThan(before)
    await owner.query('commit')
    const written = `select from site where site_name = 'Written all the same'`
    await expect.poll(async () => (await owner.query(written)).rowCount).toBe(1)
  })
})

test('a request whose statement takes more than 10 s gets an answer that says to ask for less, and the next one works', async () => {
  await owner.query(
    `create policy slow on site as restrictive for select to portcullis_web using (pg_sleep(60)::text is not null)`,
  )
  const { status, error } = await server.ask('GET', '/api/sites')
  await owner.query('drop policy slow on site')
  expect([status, error.code]).toEqual([503, 'too_slow'])
  expect(error.message).toBe('This took too long. Choose a shorter period or fewer conditions, then try again.')
  expect((await server.ask('GET', '/api/sites')).status).toBe(200)
})

test('a request that waits too long for a lock gets an answer that says to try again', async () => {
  await owner.query('begin; lock table site in access exclusive mode')
  const { status, error } = await server.ask('GET', '/api/sites')
  await owner.query('commit')
  expect([status, error.code]).toEqual([503, 'unavailable'])
  expect(error.message).toContain('try again')
})

/** The clients that the server has a connection to. */
async function connections() {
  const { promise, resolve } = Promise.withResolvers<number>()
  server.app.server.getConnections((_error, count) => resolve(count))
  return promise
}

/** How many statements sleep in the policy. */
function sleeping() {
  return countOf(`wait_event = 'PgSleep'`)
}

function waiting() {
  return countOf(`wait_event_type = 'Lock'`)
}

async function countOf(condition: string) {
  const { rowCount } = await owner.query(
    `select from pg_stat_activity where datname = current_database() and usename like 'portcullis_web%' and ${condition}`,
  )
  return rowCount
}

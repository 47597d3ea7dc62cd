import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { startOwnServer, type TestServer } from '../test-server.ts'
import { spawnAnotherServer } from '../test-servers.ts'

/** The sessions that keep the key from being rotated. */
const holding = sql`from pg_stat_activity
  where datname = current_database() and pid in (select pid from pg_locks
    where locktype = 'advisory' and mode = 'ShareLock' and granted)`

async function holders({ database }: TestServer) {
  return database.asSystem((tx) => tx.rows(z.object({ pid: z.int() }), sql`select pid ${holding} order by pid`))
}

/** As after a failover: the servers lose these sessions. */
async function endSessions({ database }: TestServer) {
  await database.asSystem((tx) => tx.run(sql`select pg_terminate_backend(pid) ${holding}`))
}

test('a server that lost its database session ends with an error if the key was rotated meanwhile', async () => {
  const server = await someServer()
  const { code, printed } = await spawnAnotherServer(server.databaseUrl)
  await server.database.asSystem(async (tx) => {
    await tx.run(sql`update installation set installation_key_fingerprint = sha256('another')`)
  })
  await endSessions(server)
  expect(await code).toBe(1)
  expect(printed()).toMatch(/^SECRET_KEY_FILE: .* holds another key than the one of this database/m)
})

test('a server that lost its database session continues with another one if the key is the same', async () => {
  const server = await someServer()
  const before = await holders(server)
  expect(before).toHaveLength(1)
  await endSessions(server)
  const others = async () => (await holders(server)).filter(({ pid }) => pid !== before[0]?.pid)
  await expect.poll(others, { timeout: 60_000 }).toHaveLength(1)
  expect((await server.ask('GET', '/health/ready')).status).toBe(200)
})

async function someServer() {
  const server = await startOwnServer()
  onTestFinished(server.stop)
  return server
}

import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

test.each(['recertifyable', 'recertifyable/count'])(
  'a right that ends while users/%s is being answered leads to a refusal',
  async (path) => {
    const user = await server.signInAs({ role: 'accessManager' })
    const ask = () => user.ask('GET', `/api/users/${path}`)
    expect((await ask()).status).toBe(200)
    const client = new pg.Client({ connectionString: server.databaseUrl })
    await client.connect()
    onTestFinished(() => client.end())
    // The server reads the periods after checking the rights and before answering; this lock holds that up.
    await client.query('begin; lock table account')
    const answer = ask()
    await expect.poll(waiting).toBeGreaterThan(0)
    await client.query(
      `update membership set membership_role = 'reportingUser' where membership_user = '${user.userId}'`,
    )
    await client.query('commit')
    const { status, error } = await answer
    expect([status, error.code]).toEqual([403, 'forbidden'])
  },
)

function waiting() {
  const locks = sql`select from pg_locks where not granted and relation = 'account'::regclass`
  return server.database.asSystem((tx) => tx.run(locks))
}

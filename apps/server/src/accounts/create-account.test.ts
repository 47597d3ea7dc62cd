import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

test('an account is created only where the nearest role allows it', async () => {
  const above = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'above' } })
  const place = await makeItem({ ask: server.in('above'), collection: 'accounts', fields: { ref: 'place' } })
  const inner = await makeItem({ ask: server.in('place'), collection: 'accounts', fields: { ref: 'inner' } })
  const manager = await server.signInAs({ role: 'accountManager', account: 'above' })
  const make = async (ref: string, parent: string) => {
    const { status, error } = await manager.ask('POST', '/api/accounts', { body: { name: ref, ref, parent } })
    return error.code || status
  }
  const setRole = async (role: string) => {
    const membership = { role, key: await server.keyOf('place') }
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
        values (${manager.userId}, ${membership.key}, ${membership.role})
        on conflict (membership_user, membership_account) do update set membership_role = ${membership.role}`),
    )
  }
  expect(await make('first', place._id)).toBe(201)
  await setRole('reportingUser')
  expect([await make('second', place._id), await make('third', inner._id)]).toEqual(['forbidden', 'forbidden'])
  expect(await make('fourth', above._id)).toBe(201)
  await setRole('admin')
  expect(await make('fifth', inner._id)).toBe(201)
})

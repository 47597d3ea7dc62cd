import sql from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeItem, type Written } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const make = async (collection: Written, account: string, fields: Record<string, unknown> = {}) =>
  (await makeItem({ ask: server.in(account), collection, fields }))._id

await make('accounts', server.account, { ref: 'low', name: 'Low' })
const key = await server.keyOf('low')

/** A user who manages everything above, and is an app user here. */
const narrowed = await server.signInAs({ role: 'admin' })
await server.database.asSystem((tx) =>
  tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
    values (${narrowed.userId}, ${key}, 'appUser')`),
)

describe('§2 a nearer role: data of an account that the user may not request', () => {
  test('cannot be named from above either', async () => {
    const [site, door] = [await make('sites', 'low'), await make('doors', 'low')]
    const schedule = await make('schedules', server.account)
    const own = await make('doors', server.account)
    const tried = [
      ['POST', '/api/rules', { name: 'x', effect: 'allow', schedule, who: [], where: [{ kind: 'Door', id: door }] }],
      ['POST', '/api/doors', { name: 'x', site }],
      ['POST', '/api/doorGroups', { name: 'x', members: [door] }],
      ['PATCH', `/api/doors/${own}`, { site }],
    ] as const
    for (const [method, path, body] of tried) {
      const { status, error } = await narrowed.ask(method, path, { body })
      expect([path, status, error.code]).toEqual([path, 422, 'unknown_reference'])
      expect((await server.ask(method, path, { body })).status).toBeLessThan(300)
    }
  })

  test('is not sent to a room above', async () => {
    const connection = await connectTestSocket({ url: server.url, headers: narrowed.headers })
    onTestFinished(connection.close)
    expect(await connection.join(`account:${server.account}:*`)).toBe('ok')
    const rename = (account: string, id: string, name: string) =>
      server.in(account)('PATCH', `/api/accounts/${id}`, { body: { name } })
    const low = (await server.client.me('low')).account?._id ?? ''
    const main = (await server.client.me(server.account)).account?._id ?? ''
    await rename('low', low, 'Low, not sent')
    await rename(server.account, main, 'Main, sent')
    await expect
      .poll(() => connection.received.findLast(({ body }) => body._id === main)?.body['name'])
      .toBe('Main, sent')
    expect(connection.of(low)).not.toContain('account:save')
  })

  test('still prevents the deletion of items that it names, without showing which', async () => {
    const door = await make('doors', 'low')
    const user = await make('users', server.account)
    const rule = await make('rules', 'low', { where: [{ kind: 'Door', id: door }] })
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into link (link_account, link_owner, link_field, link_kind, link_target)
        values (${key}, ${rule}, 'who', 'User', ${user})`),
    )
    const { status, error } = await narrowed.ask('DELETE', `/api/users/${user}`)
    expect([status, error.message]).toEqual([422, 'Used by items that you cannot see. Remove those references first.'])
  })
})

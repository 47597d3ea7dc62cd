import sql from 'sql-template-tag'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const { _id } = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'shop' } })
await makeItem({ ask: server.in('shop'), collection: 'accounts', fields: { ref: 'kiosk' } })
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'stall' } })
const set = (verb: 'suspend' | 'restore', account = _id, ask = server.ask) =>
  ask('POST', `/api/accounts/${account}/${verb}`)

test('§3 suspending: roles in the account and below it end at once, those from above still count', async () => {
  const [own, below, both, above] = await Promise.all([
    server.signInAs({ role: 'admin', account: 'shop' }),
    server.signInAs({ role: 'admin', account: 'kiosk' }),
    signInAsBoth(),
    server.signInAs({ role: 'admin', account: server.account }),
  ])
  const codes = async () => {
    const people = [own, below, both, above]
    const answers = await Promise.all(people.map((person) => person.in('kiosk')('GET', '/api/sites')))
    return answers.map(({ error }) => error.code)
  }
  expect(await codes()).toEqual(['', '', '', ''])
  expect((await set('suspend', _id, above.ask)).json).toMatchObject({ _id, status: 'suspended' })
  expect(await codes()).toEqual(['session_ended', 'session_ended', 'account_refused', ''])
  await expect(server.signInWithPassword(own.email, 'shop')).rejects.toMatchObject({ status: 403, code: 'suspended' })
  expect((await both.in('stall')('GET', '/api/sites')).status).toBe(200)

  expect((await set('restore', _id, above.ask)).json).toMatchObject({ _id, status: 'active' })
  // An ended session stays ended, but its user can sign in again.
  expect(await codes()).toEqual(['session_ended', 'session_ended', '', ''])
  const again = await server.signInWithPassword(below.email, 'kiosk')
  expect((await again.in('kiosk')('GET', '/api/sites')).status).toBe(200)
})

test('§3 suspending: open sockets leave the rooms of the account and of those below it', async () => {
  const person = await signInAsBoth()
  const connection = await connectTestSocket({ url: server.url, headers: person.headers })
  onTestFinished(connection.close)
  expect(await connection.join('site:kiosk:*')).toBe('ok')
  await set('suspend')
  await expect
    .poll(() => connection.notices)
    .toContainEqual(['left', { room: 'site:kiosk:*', code: 'account_refused' }])
  await set('restore')
  await expect.poll(() => connection.join('site:kiosk:*')).toBe('ok')
})

test('§3 suspending: not the current account, and not without the right to manage it and its parent', async () => {
  expect((await set('suspend', _id, server.in('shop'))).error.code).toBe('account_is_current')
  const reader = await server.signInAs({ role: 'reportingUser', account: server.account })
  expect((await set('suspend', _id, reader.ask)).status).toBe(403)
  const mixed = await server.signInAs({ role: 'admin', account: server.account })
  await server.database.asSystem(async (tx) =>
    tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${mixed.userId}, ${await server.keyOf('shop')}, 'installer')`),
  )
  expect((await set('suspend', _id, mixed.ask)).status).toBe(403)
  expect((await set('suspend', 'shop')).status).toBe(404)
})

test('§2 suspending: the audit log shows who did it, and repeating it adds no entry', async () => {
  for (const verb of ['suspend', 'suspend', 'restore', 'restore'] as const) expect((await set(verb)).status).toBe(200)
  const filter = new URLSearchParams({ filter: JSON.stringify({ item: _id }), size: '2' })
  const log = await server.in('shop')('GET', `/api/auditLogs?${filter.toString()}`)
  expect(log.items).toMatchObject([
    { actor: server.userId, before: { status: 'suspended' }, after: { status: 'active' } },
    { actor: server.userId, before: { status: 'active' }, after: { status: 'suspended' } },
  ])
})

/** An admin of `shop` who is also an admin of `stall`. */
async function signInAsBoth() {
  const person = await server.signInAs({ role: 'admin', account: 'shop' })
  await server.database.asSystem(async (tx) =>
    tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
      values (${person.userId}, ${await server.keyOf('stall')}, 'admin')`),
  )
  return person
}

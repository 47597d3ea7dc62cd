import { engravedNumber } from '@portcullis/domain/cards/i-button'
import { z } from 'zod'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer } from '../test-server.ts'
import { entryOf, logOf, undo } from './test-undo.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

await makeItem({ ask, collection: 'accounts', fields: { ref: 'north' } })
await makeItem({ ask, collection: 'accounts', fields: { ref: 'south' } })
const north = server.in('north')

async function patched(by = north, collection: 'sites' | 'contacts' = 'sites') {
  const { _id } = await makeItem({ ask: by, collection })
  return by('PATCH', `/api/${collection}/${_id}`, { body: { name: 'Second' } })
}

describe('rights to undo', () => {
  test('undo requires the right to manage the collection; viewing the audit log is not enough', async () => {
    const reader = await server.signInAs({ role: 'reportingUser', account: 'north' })
    const { status, error } = await undo(reader.ask, entryOf(await patched()))
    expect([status, error.code]).toEqual([403, 'forbidden'])
  })

  test('users may undo their own changes without viewing the audit log, but not those of others', async () => {
    const guard = await server.signInAs({ role: 'accessManager', account: 'north' })
    expect((await guard.ask('GET', '/api/auditLogs')).status).toBe(403)
    expect((await undo(guard.ask, entryOf(await patched(guard.ask, 'contacts')))).status).toBe(200)
    const outOfScope = await undo(guard.ask, entryOf(await patched(north, 'contacts')))
    expect([outOfScope.status, outOfScope.error.code]).toEqual([404, 'not_found'])
  })

  test('changes out of scope give 404; changes below are undone there, with the rights held there', async () => {
    const [above, beside] = [
      await server.signInAs({ role: 'admin' }),
      await server.signInAs({ role: 'admin', account: 'south' }),
    ]
    const inNorth = entryOf(await patched())
    const inMain = entryOf(await patched(ask))
    for (const [person, entry] of [
      [beside, inNorth],
      [beside, inMain],
    ] as const) {
      const { status, error } = await undo(person.ask, entry)
      expect([status, error.code]).toEqual([404, 'not_found'])
    }
    const undone = await undo(above.ask, inNorth)
    expect(undone.status).toBe(200)
    const item = z.object({ item: z.object({ _id: z.uuid() }) }).parse(undone.json).item._id
    const accounts = (await logOf(server, item)).map(({ account }) => account)
    expect(new Set(accounts).size).toBe(1)
  })

  test('a weaker role held below counts there', async () => {
    const person = await server.signInAs({ role: 'admin' })
    const key = await server.keyOf('north')
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
        values (${person.userId}, ${key}, 'reportingUser')`),
    )
    const { status, error } = await undo(person.ask, entryOf(await patched()))
    expect([status, error.code]).toEqual([403, 'forbidden'])
  })

  test('only users who may grant a role can restore it, and no users can change their own by an undo', async () => {
    const manager = await server.signInAs({ role: 'accountManager', account: 'north' })
    const admin = await makeItem({ ask: north, collection: 'users', fields: { role: 'admin' } })
    const deleted = await north('DELETE', `/api/users/${admin._id}`)
    const refused = await undo(manager.ask, entryOf(deleted))
    expect([refused.status, Object.keys(refused.error.fields)]).toEqual([403, ['role']])
    const raised = await north('PATCH', `/api/users/${manager.userId}`, { body: { role: 'accessManager' } })
    const own = await undo(manager.ask, entryOf(raised))
    expect([own.status, own.error.code]).toEqual([404, 'not_found'])
    await undo(north, entryOf(raised))
    const self = await undo(manager.ask, (await logOf(server, manager.userId))[0]?._id ?? '')
    expect([self.status, Object.keys(self.error.fields)]).toEqual([403, ['role']])
  })

  test('users who may not see a guarded number do not see it in an undo, and cannot restore it', async () => {
    const button = { kind: 'iButton', number: engravedNumber(0xa1b2) }
    const { _id } = await makeItem({ ask: north, collection: 'credentials', fields: button })
    const changed = await north('PATCH', `/api/credentials/${_id}`, { body: { number: engravedNumber(0xc3d4) } })
    const renewed = await north('PATCH', `/api/credentials/${_id}`, { body: { status: 'lost' } })
    const manager = await server.signInAs({ role: 'accountManager', account: 'north' })
    const refused = await undo(manager.ask, entryOf(changed))
    expect([refused.status, Object.keys(refused.error.fields)]).toEqual([403, ['number']])
    const undone = await undo(manager.ask, entryOf(renewed))
    expect(undone.json).toMatchObject({ item: { status: 'active', number: null } })
    await north('PATCH', `/api/credentials/${_id}`, { body: { status: 'stolen' } })
    const conflict = await undo(manager.ask, entryOf(renewed))
    expect(conflict.status).toBe(409)
    expect(JSON.stringify(conflict.json)).not.toMatch(/A1B2|C3D4/)
  })

  test('a user inside an assumed account is recorded with both identities', async () => {
    const change = await patched()
    const headers = { 'x-js-assume-account': 'north' }
    const undone = await ask('POST', `/api/auditLogs/${entryOf(change)}/undo`, { headers })
    expect(undone.status).toBe(200)
    const [entry] = await logOf(server, change.item._id)
    expect(entry).toMatchObject({ actor: server.userId, assumedAccount: entry?.['account'], undoes: entryOf(change) })
  })

  test('undo needs the same CSRF protection as every write', async () => {
    const entry = entryOf(await patched())
    const path = `${server.url}/api/auditLogs/${entry}/undo`
    const bare = await fetch(path, { method: 'POST', headers: server.headers })
    expect(bare.status).toBe(400)
    const otherOrigin = { ...server.headers, 'x-js-account': 'north', origin: 'https://elsewhere.example' }
    expect((await fetch(path, { method: 'POST', headers: otherOrigin })).status).toBe(403)
    expect((await undo(server.in('north'), entry)).status).toBe(200)
  })
})

test('an undo reaches the rooms like every change', async () => {
  const connection = await connectTestSocket(server)
  try {
    for (const room of ['site:north:*', 'auditLog:north:*']) expect(await connection.join(room)).toBe('ok')
    const change = await patched()
    const { _id } = change.item
    const undone = await undo(north, entryOf(change))
    const last = () => connection.received.findLast(({ body }) => body._id === _id)
    const now = await north('GET', `/api/sites/${_id}`)
    await expect.poll(last).toEqual({ event: 'site:save', body: now.json })
    const logged = () => connection.received.find(({ body }) => body._id === entryOf(undone))?.body
    await expect.poll(logged).toMatchObject({ undoes: entryOf(change) })
    const deleted = await north('DELETE', `/api/sites/${_id}`)
    await expect.poll(last).toMatchObject({ event: 'site:remove' })
    await undo(north, entryOf(deleted))
    await expect.poll(last).toMatchObject({ event: 'site:save' })
  } finally {
    connection.close()
  }
})

test('undoing a policy change is a policy change', async () => {
  const change = await patched()
  await undo(north, entryOf(change))
  const versions = (await logOf(server, change.item._id)).map(({ policyVersion }) => z.int().parse(policyVersion))
  expect(versions).toEqual(versions.toSorted((one, other) => other - one))
  expect(new Set(versions).size).toBe(3)
  const contact = await patched(north, 'contacts')
  const undone = await undo(north, entryOf(contact))
  expect(undone.status).toBe(200)
})

describe('users', () => {
  test('a restored user has no password and no session, and the response reports that', async () => {
    const person = await server.signInAs({ role: 'installer', account: 'north' })
    await server.database.asSystem((tx) =>
      tx.run(
        sql`update membership set membership_last_recertified_at = '2026-01-02T03:04:05Z' where membership_user = ${person.userId}`,
      ),
    )
    const before = await north('GET', `/api/users/${person.userId}`)
    const deleted = await north('DELETE', `/api/users/${person.userId}`)
    const undone = await undo(north, entryOf(deleted))
    expect(undone.json).toMatchObject({
      notRestored: ['verified', 'password'],
      item: { email: person.email, role: 'installer', lastRecertifiedAt: before.item['lastRecertifiedAt'] },
    })
    expect((await person.ask('GET', '/api/sites')).status).toBe(401)
    await expect(server.signInWithPassword(person.email, 'north')).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test('a user with another account only accepts the membership again, and keeps their password', async () => {
    const person = await server.signInAs({ role: 'installer', account: 'north' })
    const key = await server.keyOf('south')
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account, membership_role)
        values (${person.userId}, ${key}, 'installer')`),
    )
    const deleted = await server.in('south')('DELETE', `/api/users/${person.userId}`)
    expect((await person.in('south')('GET', '/api/sites')).status).toBe(403)
    const undone = await undo(ask, entryOf(deleted))
    expect(undone.json).toMatchObject({ item: { verified: false, role: 'installer' } })
    expect((await person.in('south')('GET', '/api/sites')).status).toBe(403)
    const [invitation] = (await person.ask('GET', '/api/users/me/invitations')).items
    await person.ask('POST', `/api/users/me/invitations/${invitation?._id}`, { body: { accept: true } })
    expect((await person.in('south')('GET', '/api/sites')).status).toBe(200)
  })
})

test('a restored unit is no longer enrolled', async () => {
  const { _id } = await makeItem({ ask, collection: 'units' })
  await server.database.asSystem((tx) => tx.run(sql`update unit set unit_enrolled_at = now() where unit_id = ${_id}`))
  const deleted = await ask('DELETE', `/api/units/${_id}`)
  const undone = await undo(ask, entryOf(deleted))
  expect(undone.json).toMatchObject({ item: { enrolledAt: null }, notRestored: ['enrolledAt'] })
})

describe('an account', () => {
  test('deleted is recorded in the log of its parent, and restored with its own log', async () => {
    const { _id } = await makeItem({ ask, collection: 'accounts', fields: { ref: 'kiosk', name: 'Kiosk' } })
    const kiosk = server.in('kiosk')
    const site = await makeItem({ ask: kiosk, collection: 'sites' })
    await kiosk('DELETE', `/api/sites/${site._id}`)
    const deleted = await kiosk('DELETE', `/api/accounts/${_id}`)
    expect(deleted.status).toBe(204)
    const filter = JSON.stringify({ item: _id })
    const { items } = await ask('GET', `/api/auditLogs?filter=${encodeURIComponent(filter)}`)
    expect(items).toMatchObject([{ _id: entryOf(deleted), action: 'delete', before: { name: 'Kiosk' } }])
    expect((await undo(ask, entryOf(deleted))).json).toMatchObject({ item: { _id, ref: 'kiosk' } })
    const log = await kiosk('GET', '/api/auditLogs')
    expect(log.items.map(({ action, collection }) => `${String(collection)} ${String(action)}`)).toEqual([
      'accounts create',
      'sites delete',
      'sites create',
      'accounts create',
    ])
    const restored = await undo(ask, log.items[1]?._id ?? '')
    expect(restored.json).toMatchObject({ action: 'create', item: { _id: site._id } })
  })

  test('whose ref is taken meanwhile is a conflict', async () => {
    const { _id } = await makeItem({ ask, collection: 'accounts', fields: { ref: 'stall' } })
    const deleted = await server.in('stall')('DELETE', `/api/accounts/${_id}`)
    await makeItem({ ask, collection: 'accounts', fields: { ref: 'stall' } })
    const { status, error } = await undo(ask, entryOf(deleted))
    expect([status, error.code, Object.keys(error.fields)]).toEqual([409, 'taken', ['ref']])
  })
})

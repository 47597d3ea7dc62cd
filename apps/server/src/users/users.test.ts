import { isAllowed, roles, rulesOfRole } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const managers = roles.filter((role) => isAllowed(rulesOfRole(role), { action: 'manage', subject: 'Users' }))

test('users are managed by admins, account managers and access managers', () => {
  expect(managers).toEqual(['admin', 'accountManager', 'accessManager'])
})

describe.each(managers)('%s', (manager) => {
  const mayGive = (role: (typeof roles)[number]) => isAllowed(rulesOfRole(manager), { action: 'manage', subject: role })

  test.each(roles)('gives, changes and removes the role %s only with the right to manage it', async (role) => {
    const { ask } = await server.signInAs({ role: manager })
    const user = await makeItem({ ask: server.ask, collection: 'users', fields: { role } })
    const answers = [
      await ask('POST', '/api/users', { body: { name: 'New', role } }),
      await ask('PATCH', `/api/users/${user._id}`, { body: { role: 'appUser' } }),
      await ask('PATCH', `/api/users/${user._id}`, { body: { role } }),
      await ask('DELETE', `/api/users/${user._id}`),
    ]
    const expected = mayGive(role) ? [201, 200, 200, 204] : [403, 403, 200, 403]
    expect(answers.map(({ status }) => status)).toEqual(expected)
    for (const { status, error } of answers) if (status === 403) expect(Object.keys(error.fields)).toEqual(['role'])
  })

  test('never changes or removes their own role, but may change their name', async () => {
    const { ask, userId } = await server.signInAs({ role: manager })
    const path = `/api/users/${userId}`
    expect((await ask('PATCH', path, { body: { role: 'appUser' } })).status).toBe(403)
    expect((await ask('DELETE', path)).status).toBe(403)
    expect((await ask('PATCH', path, { body: { name: 'Myself', role: manager } })).status).toBe(200)
  })

  const [past, later] = ['2020-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']
  const changesOfRole = [{ status: 'suspended' }, { validUntil: past }, { validFrom: later }]

  test.each(roles)('§3 suspends and limits users with role %s only with the right to remove it', async (role) => {
    const { ask } = await server.signInAs({ role: manager })
    for (const changes of changesOfRole) {
      const user = await makeItem({ ask: server.ask, collection: 'users', fields: { role } })
      const { status, error } = await ask('PATCH', `/api/users/${user._id}`, { body: changes })
      expect([status, Object.keys(error.fields)]).toEqual(mayGive(role) ? [200, []] : [403, Object.keys(changes)])
    }
  })

  test('§3 cannot suspend or change the dates of their own role, but may send unchanged values', async () => {
    const { ask, userId } = await server.signInAs({ role: manager })
    const path = `/api/users/${userId}`
    await server.ask('PATCH', path, { body: { validUntil: later } })
    for (const changes of [...changesOfRole, { validUntil: null }]) {
      const { status, error } = await ask('PATCH', path, { body: changes })
      expect([status, Object.keys(error.fields)]).toEqual([403, Object.keys(changes)])
    }
    const same = { title: 'Guest', status: 'active', validFrom: null, validUntil: '2999-01-01T02:00:00+02:00' }
    expect((await ask('PATCH', path, { body: same })).status).toBe(200)
  })

  test('sets the idle time only with the right to manage idleTime', async () => {
    const { ask } = await server.signInAs({ role: manager })
    const may = isAllowed(rulesOfRole(manager), { action: 'manage', subject: 'idleTime' })
    const user = await makeItem({ ask: server.ask, collection: 'users' })
    const answers = [
      await ask('POST', '/api/users', { body: { name: 'New', idleTime: 600 } }),
      await ask('PATCH', `/api/users/${user._id}`, { body: { idleTime: 600 } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(may ? [201, 200] : [403, 403])
    expect((await ask('POST', '/api/users', { body: { name: 'New', idleTime: 300 } })).status).toBe(201)
  })
})

test('the name of a user is changed in their home account only, a membership in its own account', async () => {
  await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'visiting' } })
  const user = await makeItem({ ask: server.ask, collection: 'users', fields: { name: 'Ann' } })
  const connection = await server.keyOf('visiting')
  await server.database.asSystem((tx) =>
    tx.run(sql`insert into membership (membership_user, membership_account) values (${user._id}, ${connection})`),
  )
  const away = server.in('visiting')
  const renamed = await away('PATCH', `/api/users/${user._id}`, { body: { name: 'Other' } })
  expect([renamed.status, renamed.error.code]).toEqual([422, 'home_account_only'])
  const moved = await away('PATCH', `/api/users/${user._id}`, { body: { title: 'Visitor', status: 'suspended' } })
  expect(moved.item).toMatchObject({ name: 'Ann', title: 'Visitor', status: 'suspended' })
  const home = await server.ask('GET', `/api/users/${user._id}`)
  expect(home.item).toMatchObject({ name: 'Ann', title: null, status: 'active' })
})

test('access never ends before it begins, whichever date is changed last', async () => {
  const [early, late] = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z']
  const fields = { validUntil: 'It cannot end before it begins.' }
  const refused = await server.ask('POST', '/api/users', {
    body: { name: 'Backwards', role: 'appUser', validFrom: late, validUntil: early },
  })
  expect([refused.status, refused.error.fields]).toEqual([400, fields])
  const user = await makeItem({ ask: server.ask, collection: 'users', fields: { validFrom: early, validUntil: late } })
  const patch = (body: object) => server.ask('PATCH', `/api/users/${user._id}`, { body })
  const later = await patch({ validFrom: '2032-01-01T00:00:00.000Z' })
  expect([later.status, later.error.fields]).toEqual([400, fields])
  expect((await patch({ validFrom: late })).status).toBe(200)
  expect((await patch({ validFrom: '2032-01-01T00:00:00.000Z', validUntil: null })).status).toBe(200)
})

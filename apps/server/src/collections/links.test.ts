import type { Collection } from '@portcullis/contract/collection'
import { metaOf } from '@portcullis/contract/fields'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { connectTestSocket } from '../test-socket.ts'
import { startTestServer } from '../test-server.ts'
import { minimalItem, makeItem, type Written, written } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)

const make = async (collection: Written, fields: Record<string, unknown> = {}, account = server.account) =>
  (await makeItem({ ask: server.in(account), collection, fields }))._id

const field = async (path: string, name: string, account = server.account) =>
  (await server.in(account)('GET', `/api/${path}`)).item[name]

await make('accounts', { ref: 'below' })
await make('accounts', { ref: 'beside' })

describe('members', () => {
  test('are set from the group and from the user, and both ends show the change', async () => {
    const [ann, ben] = [await make('users'), await make('users')]
    const staff = await make('userGroups', { members: [ann] })
    expect(await field(`users/${ann}`, 'groups')).toEqual([staff])
    await server.ask('PATCH', `/api/users/${ben}`, { body: { groups: [staff] } })
    expect(await field(`userGroups/${staff}`, 'members')).toEqual([ann, ben].toSorted())
    await server.ask('PATCH', `/api/users/${ann}`, { body: { groups: [] } })
    expect(await field(`userGroups/${staff}`, 'members')).toEqual([ben])
    await server.ask('PATCH', `/api/userGroups/${staff}`, { body: { members: [ann] } })
    expect([await field(`users/${ann}`, 'groups'), await field(`users/${ben}`, 'groups')]).toEqual([[staff], []])
  })

  test('named twice are added once', async () => {
    const door = await make('doors')
    const group = await make('doorGroups', { members: [door, door] })
    expect(await field(`doorGroups/${group}`, 'members')).toEqual([door])
  })

  test('of one group change without affecting another group', async () => {
    const site = await make('sites')
    const [one, other] = [await make('siteGroups', { members: [site] }), await make('siteGroups', { members: [site] })]
    await server.ask('PATCH', `/api/siteGroups/${one}`, { body: { members: [] } })
    expect(await field(`siteGroups/${other}`, 'members')).toEqual([site])
  })

  test('that are deleted are removed from their groups, also in accounts above', async () => {
    const user = await make('users', {}, 'below')
    const [own, above] = [
      await make('userGroups', { members: [user] }, 'below'),
      await make('userGroups', { members: [user] }),
    ]
    expect((await server.in('below')('DELETE', `/api/users/${user}`)).status).toBe(204)
    expect(await field(`userGroups/${own}`, 'members', 'below')).toEqual([])
    expect(await field(`userGroups/${above}`, 'members')).toEqual([])
  })

  test('lose a deleted group', async () => {
    const user = await make('users')
    const group = await make('userGroups', { members: [user] })
    expect((await server.ask('DELETE', `/api/userGroups/${group}`)).status).toBe(204)
    expect(await field(`users/${user}`, 'groups')).toEqual([])
  })

  test('are announced in the rooms of both ends when they are added, removed or deleted', async () => {
    const connection = await connectTestSocket(server)
    const [user, group] = [await make('users'), await make('userGroups')]
    for (const room of [`user:${server.account}:*`, `userGroup:${server.account}:*`])
      expect(await connection.join(room)).toBe('ok')
    const last = (id: string, name: string) => connection.received.findLast(({ body }) => body._id === id)?.body[name]
    await server.ask('PATCH', `/api/userGroups/${group}`, { body: { members: [user] } })
    await expect.poll(() => last(user, 'groups')).toEqual([group])
    await server.ask('PATCH', `/api/users/${user}`, { body: { groups: [] } })
    await expect.poll(() => last(group, 'members')).toEqual([])
    await server.ask('PATCH', `/api/users/${user}`, { body: { groups: [group] } })
    await expect.poll(() => last(group, 'members')).toEqual([user])
    await server.ask('DELETE', `/api/users/${user}`)
    await expect.poll(() => last(group, 'members')).toEqual([])
    connection.close()
  })
})

describe('an item in use is not deleted, and the error says by what', () => {
  test.each<[string, Written, Written, (id: string) => Record<string, unknown>, RegExp]>([
    ['a site with a door', 'sites', 'doors', (id) => ({ site: id }), /^Used by doors\./],
    ['a site with a controller', 'sites', 'units', (id) => ({ site: id }), /^Used by controllers\./],
    ['a unit with a door', 'units', 'doors', (id) => ({ unit: id }), /^Used by doors\./],
    ['a schedule of a rule', 'schedules', 'rules', (id) => ({ schedule: id }), /^Used by access rules\./],
    ['a user with a credential', 'users', 'credentials', (id) => ({ user: id }), /^Used by credentials\./],
    ['a user in a rule', 'users', 'rules', (id) => ({ who: [{ kind: 'User', id }] }), /^Used by 1 access rule\./],
    [
      'a group in a rule',
      'userGroups',
      'rules',
      (id) => ({ who: [{ kind: 'User Group', id }] }),
      /^Used by 1 access rule\./,
    ],
    ['a door in a rule', 'doors', 'rules', (id) => ({ where: [{ kind: 'Door', id }] }), /^Used by 1 access rule\./],
    [
      'a site group in a rule',
      'siteGroups',
      'rules',
      (id) => ({ where: [{ kind: 'Site Group', id }] }),
      /^Used by 1 access rule\./,
    ],
  ])('%s', async (_what, collection, user, fields, sentence) => {
    const id = await make(collection)
    const by = await make(user, fields(id))
    const refused = await server.ask('DELETE', `/api/${collection}/${id}`)
    expect([refused.status, refused.error.code]).toEqual([422, 'used_by_others'])
    expect(refused.error.message).toMatch(sentence)
    expect((await server.ask('DELETE', `/api/${user}/${by}`)).status).toBe(204)
    expect((await server.ask('DELETE', `/api/${collection}/${id}`)).status).toBe(204)
  })

  test('an account that holds an item', async () => {
    const account = await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'furnished' } })
    const remove = () => server.in('furnished')('DELETE', `/api/accounts/${account._id}`)
    const things: Written[] = ['sites', 'users', 'userGroups']
    for (const thing of things) {
      const id = await make(thing, {}, 'furnished')
      const { error } = await remove()
      expect(error.message).toMatch(/^This account still contains 1 /)
      expect(error.code).toBe('account_not_empty')
      expect((await server.in('furnished')('DELETE', `/api/${thing}/${id}`)).status).toBe(204)
    }
    expect((await remove()).status).toBe(204)
  })

  test('§1 the number of rules in accounts above that refer to a door is hidden below', async () => {
    const door = await make('doors', {}, 'below')
    const where = [{ kind: 'Door', id: door }]
    const messageOf = async () => (await server.in('below')('DELETE', `/api/doors/${door}`)).error.message
    const above = 'Used by items that you cannot see. Remove those references first.'
    await make('rules', { where })
    expect(await messageOf()).toBe(above)
    await make('rules', { where })
    expect(await messageOf()).toBe(above)
    await make('rules', { where }, 'below')
    expect(await messageOf()).toBe(
      'Used by 1 access rule and items that you cannot see. Remove those references first.',
    )
  })

  test('a door in a rule of an account above', async () => {
    const door = await make('doors', {}, 'below')
    const rule = await make('rules', { where: [{ kind: 'Door', id: door }] })
    const refused = await server.in('below')('DELETE', `/api/doors/${door}`)
    expect([refused.status, refused.error.code]).toEqual([422, 'used_by_others'])
    await server.ask('DELETE', `/api/rules/${rule}`)
    expect((await server.in('below')('DELETE', `/api/doors/${door}`)).status).toBe(204)
  })
})

describe('a deleted user', () => {
  test('loses their identity, so the email is free again', async () => {
    const email = 'once@portcullis.example'
    const user = await make('users', { email })
    expect((await server.ask('DELETE', `/api/users/${user}`)).status).toBe(204)
    expect(await server.database.asSystem((tx) => tx.run(sql`select from person where person_id = ${user}`))).toBe(0)
    expect((await server.ask('POST', '/api/users', { body: { name: 'Again', email } })).status).toBe(201)
  })

  test('keeps their identity if they belong to another account', async () => {
    const user = await make('users', { email: 'twice@portcullis.example' })
    const below = await server.keyOf('below')
    await server.database.asSystem((tx) =>
      tx.run(sql`insert into membership (membership_user, membership_account) values (${user}, ${below})`),
    )
    expect((await server.ask('DELETE', `/api/users/${user}`)).status).toBe(204)
    expect((await server.ask('GET', `/api/users/${user}`)).status).toBe(404)
    expect(await field(`users/${user}`, 'email', 'below')).toBe('twice@portcullis.example')
  })
})

describe('a reference to an item that is missing or out of scope', () => {
  const targets: Partial<Record<Written, Record<string, [Written, (id: string) => unknown]>>> = {
    credentials: { user: ['users', (id) => id] },
    doorGroups: { members: ['doors', (id) => [id]] },
    doors: {
      site: ['sites', (id) => id],
      unit: ['units', (id) => id],
      firstPersonGroup: ['userGroups', (id) => id],
      unlockSchedule: ['schedules', (id) => id],
    },
    interlockingGroups: { doors: ['doors', (id) => [id]] },
    lockdownPlans: {
      places: ['sites', (id) => [{ kind: 'Site', id }]],
      mayPass: ['userGroups', (id) => [{ kind: 'User Group', id }]],
      cardGroups: ['userGroups', (id) => [{ kind: 'User Group', id }]],
      cardDoors: ['doors', (id) => [{ kind: 'Door', id }]],
    },
    rules: {
      schedule: ['schedules', (id) => id],
      who: ['users', (id) => [{ kind: 'User', id }]],
      where: ['sites', (id) => [{ kind: 'Site', id }]],
    },
    siteGroups: { members: ['sites', (id) => [id]] },
    units: { site: ['sites', (id) => id] },
    userGroups: { members: ['users', (id) => [id]] },
    users: { groups: ['userGroups', (id) => [id]] },
  }
  const cases = written.flatMap((collection) =>
    Object.entries(targets[collection] ?? {}).map(([name, [target, valueOf]]) => ({
      collection,
      name,
      target,
      valueOf,
    })),
  )

  test('is tested in every field that refers to something', () => {
    const referring = Object.values<Collection>(collections).flatMap(
      ({ name, fields: { optional, required }, readOnly }) => {
        const fields = Object.entries<z.core.$ZodType>(readOnly ? {} : { ...required, ...optional })
        const found = fields.filter(([, schema]) => ['reference', 'links'].includes(metaOf(schema)?.kind ?? ''))
        return found.map(([field]) => `${name}.${field}`)
      },
    )
    expect(cases.map(({ collection, name }) => `${collection}.${name}`).toSorted()).toEqual(referring.toSorted())
  })

  test.each(cases)(
    'is refused by name at creation and in a patch: $collection.$name',
    async ({ collection, name, target, valueOf }) => {
      const writer = server.in('below')
      const site = await make('sites', {}, 'below')
      const item = await makeItem({ ask: writer, collection, site })
      for (const id of [uuidv7(), await make(target), await make(target, {}, 'beside')]) {
        const body = { [name]: valueOf(id) }
        const created = await writer('POST', `/api/${collection}`, {
          body: { ...minimalItem(collection, { site }), ...body },
        })
        const patched = await writer('PATCH', `/api/${collection}/${item._id}`, { body })
        for (const { status, error } of [created, patched]) {
          expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'unknown_reference', [name]])
        }
      }
    },
  )

  test('is refused by name if the item is visible but belongs to another account', async () => {
    const user = await make('users', {}, 'below')
    const { status, error } = await server.ask('POST', '/api/credentials', {
      body: { kind: 'card', number: '77', user },
    })
    expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'unknown_reference', ['user']])
  })

  test('is refused at the end of a long list, and named many times it is checked once', async () => {
    const user = await make('users', {}, 'below')
    const members = Array.from({ length: 2_000 }, () => user)
    const group = await make('userGroups', { members }, 'below')
    expect(await field(`userGroups/${group}`, 'members', 'below')).toEqual([user])
    const { status, error } = await server.in('below')('PATCH', `/api/userGroups/${group}`, {
      body: { members: [...members, uuidv7()] },
    })
    expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'unknown_reference', ['members']])
  })

  test('is refused for the parent of an account', async () => {
    const { item } = await server
      .in('beside')('GET', '/api/accounts', {})
      .then(({ items }) => ({ item: items[0] }))
    for (const parent of [uuidv7(), item?._id]) {
      const body = { name: 'Astray', ref: `astray-${uuidv7().slice(-6)}`, parent }
      const { status, error } = await server.in('below')('POST', '/api/accounts', { body })
      expect([status, Object.keys(error.fields)]).toEqual([422, ['parent']])
    }
  })
})

describe('a taken unique value is refused with its field', () => {
  test.each<[Written, string, string, number]>([
    ['units', 'serial', 'S-1', 201],
    ['credentials', 'number', '4711', 201],
    ['users', 'email', 'taken@portcullis.example', 201],
    ['accounts', 'ref', 'taken', 409],
  ])('%s: %s', async (collection, name, value, elsewhere) => {
    const site = ''
    const attempt = (account: string) =>
      server.in(account)('POST', `/api/${collection}`, {
        body: { ...minimalItem(collection, { site }), [name]: value },
      })
    expect((await attempt('below')).status).toBe(201)
    const { status, error } = await attempt('below')
    expect([status, error.code, Object.keys(error.fields)]).toEqual([409, 'taken', [name]])
    expect((await attempt('beside')).status).toBe(elsewhere)
  })

  test('doors: the number on their controller', async () => {
    const [unit, site] = [await make('units'), await make('sites')]
    await make('doors', { unit, site, unitDoor: 1 })
    const body = { name: 'Second', unit, site, unitDoor: 1 }
    const { status, error } = await server.ask('POST', '/api/doors', { body })
    expect([status, error.code, Object.keys(error.fields)]).toEqual([409, 'taken', ['unitDoor']])
    expect((await server.ask('POST', '/api/doors', { body: { ...body, unitDoor: 2 } })).status).toBe(201)
  })
})

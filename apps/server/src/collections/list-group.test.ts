import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import { groupKindsOf } from '@portcullis/contract/group-lookups'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'
import { storeEvent } from './test-events.ts'
import { makeItem, type Written } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch' } })
const branch = server.in('branch')
const everywhere = { headers: { 'x-js-all-accounts': 'true' } }
const site = (await makeItem({ ask: server.ask, collection: 'sites' }))._id

const groupsOfMembers = [
  ['users', 'userGroups'],
  ['doors', 'doorGroups'],
  ['sites', 'siteGroups'],
] as const satisfies [Written, Written][]

describe.each(groupsOfMembers)('§7 %s/group', (members, groups) => {
  const make = (fields = {}) => makeItem({ ask: server.ask, collection: members, fields, site })
  const group = (ids: string[]) => makeItem({ ask: server.ask, collection: groups, fields: { members: ids } })

  test('lists the members of a group as their list shows them, and no other items', async () => {
    const [first, second] = [await make({ name: 'first' }), await make({ name: 'second' })]
    await make({ name: 'other' })
    const { _id } = await group([first._id, second._id])
    const { items, page } = await server.client.of(collections[members]).group(_id)
    expect(items.map((item) => item._id)).toEqual([second._id, first._id])
    expect(page).toMatchObject({ totalElements: 2, totalPages: 1, pageNumber: 0 })
    const got = await server.ask('GET', `/api/${members}/${first._id}`)
    expect(items[1]).toEqual(got.json)
  })

  test('takes filter, sort, page, search, fields and cursor', async () => {
    const names = ['a', 'b', 'c', 'd']
    const ids: string[] = []
    for (const name of names) ids.push((await make({ name }))._id)
    const { _id } = await group(ids)
    const of = server.client.of(collections[members])
    const shown = async (query: Parameters<typeof of.group>[1]) =>
      (await of.group(_id, query)).items.map(({ name }) => name)
    const sort = { prop: 'name', dir: 'asc' } as const
    expect(await shown({ sort })).toEqual(names)
    expect(await shown({ sort, size: 3, page: 1 })).toEqual(['d'])
    expect(await shown({ sort, filter: { name: { gt: 'b' } } })).toEqual(['c', 'd'])
    expect(await shown({ search: 'c' })).toEqual(['c'])
    const { next } = await of.group(_id, { sort, size: 2 })
    expect(await shown({ sort, size: 2, after: next ?? '' })).toEqual(['c', 'd'])
    const fields = await server.ask('GET', `/api/${members}/group/${_id}?fields=["name"]&size=1`)
    expect(fields.items).toEqual([{ _id: ids[3], name: 'd' }])
  })

  test('refuses the same as a list, by name', async () => {
    const { _id } = await group([])
    for (const [parameter, value] of Object.entries({ filter: '{', sort: '7', size: '501', page: '-1', after: 'x' })) {
      const { status, error } = await server.ask('GET', `/api/${members}/group/${_id}?${parameter}=${value}`)
      expect([status, Object.keys(error.fields)]).toEqual([400, [parameter]])
    }
  })

  test('gives 404 for groups that are missing or out of scope', async () => {
    const outOfScope = await makeItem({ ask: branch, collection: groups })
    const other = await makeItem({ ask: server.ask, collection: 'rules' })
    for (const id of [outOfScope._id, other._id, uuidv7(), '7', '%00', 'null']) {
      const { status, error } = await server.ask('GET', `/api/${members}/group/${id}`)
      expect([status, error.code], id).toEqual([404, 'not_found'])
    }
    const own = await group([])
    expect((await branch('GET', `/api/${members}/group/${own._id}`)).status).toBe(404)
    expect((await server.ask('GET', `/api/${members}/group/${outOfScope._id}`, everywhere)).status).toBe(200)
  })

  test('shows members in accounts below only on request', async () => {
    const below = await makeItem({ ask: branch, collection: members, fields: { name: 'below' } })
    const { _id } = await group([below._id])
    expect((await server.ask('GET', `/api/${members}/group/${_id}`)).items).toEqual([])
    const all = await server.ask('GET', `/api/${members}/group/${_id}`, everywhere)
    expect(all.items.map((item) => item._id)).toEqual([below._id])
  })

  test('requires the right to view', async () => {
    const { _id } = await group([])
    const { ask } = await server.signInAs({ role: 'appUser' })
    expect((await ask('GET', `/api/${members}/group/${_id}`)).status).toBe(403)
  })
})

describe('§7 items that belong to a group through others', () => {
  const own = (collection: Written, fields = {}) => makeItem({ ask: server.ask, collection, fields })
  const idsIn = async (collection: string, group: string, { ask = server.ask, headers = {} } = {}) =>
    (await ask('GET', `/api/${collection}/group/${group}?size=500`, { headers })).items.map(({ _id }) => _id).toSorted()
  const sorted = (...items: { _id: string }[]) => items.map(({ _id }) => _id).toSorted()

  test('controllers: of the doors in a door group, and of the sites in a site group', async () => {
    const [here, elsewhere] = [await own('sites'), await own('sites')]
    const atSite = await own('units', { site: here._id })
    const ofDoor = await own('units')
    await own('units', { site: elsewhere._id })
    const door = await own('doors', { site: here._id, unit: ofDoor._id, unitDoor: 1 })
    const doorGroup = await own('doorGroups', { members: [door._id] })
    const siteGroup = await own('siteGroups', { members: [here._id] })
    expect(await idsIn('units', doorGroup._id)).toEqual([ofDoor._id])
    expect(await idsIn('units', siteGroup._id)).toEqual(sorted(atSite, ofDoor))
  })

  test('rules: those that name the group or a member, once each', async () => {
    const [member, other] = [await own('users'), await own('users')]
    const door = await own('doors')
    const group = await own('userGroups', { members: [member._id] })
    const doorGroup = await own('doorGroups', { members: [door._id] })
    const byMember = await own('rules', { who: [{ kind: 'User', id: member._id }] })
    const where = [{ kind: 'Door Group', id: doorGroup._id }]
    const who = [
      { kind: 'User Group', id: group._id },
      { kind: 'User', id: member._id },
    ]
    const byBoth = await own('rules', { who, where })
    await own('rules', { who: [{ kind: 'User', id: other._id }] })
    expect(await idsIn('rules', group._id)).toEqual(sorted(byMember, byBoth))
    expect(await idsIn('rules', doorGroup._id)).toEqual([byBoth._id])
    const { page } = await server.client.of(collections.rules).group(group._id, { size: 1 })
    expect(page).toMatchObject({ totalElements: 2, totalPages: 2 })
  })

  test('events: those of the doors, the sites or the users in the group', async () => {
    const account = await server.keyOf(server.account)
    const place = await own('sites')
    const [door, other] = [await own('doors', { site: place._id }), await own('doors')]
    const user = await own('users')
    const atDoor = await storeEvent(server.database, { account, door: door._id, site: place._id })
    const ofUser = await storeEvent(server.database, { account, door: other._id, user: user._id })
    const doorGroup = await own('doorGroups', { members: [door._id] })
    const siteGroup = await own('siteGroups', { members: [place._id] })
    const userGroup = await own('userGroups', { members: [user._id] })
    expect(await idsIn('events', doorGroup._id)).toEqual([atDoor])
    expect(await idsIn('events', siteGroup._id)).toEqual([atDoor])
    expect(await idsIn('events', userGroup._id)).toEqual([ofUser])
  })

  test('never through a door that is out of scope', async () => {
    const unit = await own('units')
    const below = await makeItem({ ask: branch, collection: 'doors' })
    await server.database.asSystem((tx) =>
      tx.run(sql`update door set door_unit = ${unit._id} where door_id = ${below._id}`),
    )
    const group = await own('doorGroups', { members: [below._id] })
    expect(await idsIn('units', group._id)).toEqual([])
    expect(await idsIn('units', group._id, everywhere)).toEqual([unit._id])
    const rule = await own('rules', { where: [{ kind: 'Door', id: below._id }] })
    expect(await idsIn('rules', group._id)).toEqual([])
    expect(await idsIn('rules', group._id, everywhere)).toEqual([rule._id])
  })

  test('requires the right to view the group, and shows no other kind', async () => {
    const group = await own('userGroups')
    const { ask } = await server.signInAs({ role: 'installer' })
    const { status, error } = await ask('GET', `/api/rules/group/${group._id}`)
    expect([status, error.code]).toEqual([404, 'not_found'])
  })
})

test('§7 collections whose items belong to no groups say so', async () => {
  const { _id } = await makeItem({ ask: server.ask, collection: 'userGroups' })
  const others = Object.values<Collection>(collections).filter((each) => groupKindsOf(each).length === 0)
  expect(others.length).toBeGreaterThan(10)
  for (const { name } of others) {
    const { status, error } = await server.ask('GET', `/api/${name}/group/${_id}`)
    expect([status, error.code], name).toEqual([404, 'no_group_lookup'])
  }
})

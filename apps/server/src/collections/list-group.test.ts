import { collections } from '@portcullis/contract/collections/registry'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'
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

test('§7 collections without groups have no group call', async () => {
  const { _id } = await makeItem({ ask: server.ask, collection: 'userGroups' })
  for (const collection of ['events', 'rules', 'accounts', 'userGroups']) {
    const { status, error } = await server.ask('GET', `/api/${collection}/group/${_id}`)
    expect([status, error.code], collection).toEqual([404, 'not_found'])
  }
})

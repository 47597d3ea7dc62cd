import { afterAll, expect, test } from 'vitest'
import { makeItem, type Written } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'
import { entryOf, logOf, undo } from './test-undo.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

await makeItem({ ask, collection: 'accounts', fields: { ref: 'branch' } })
const branch = server.in('branch')

async function made(collection: Written, fields = {}, by = ask) {
  return (await makeItem({ ask: by, collection, fields }))._id
}

async function fieldOf(path: string, field: string) {
  return (await ask('GET', path)).item[field]
}

test('added members are removed, removed ones restored, and later changes kept', async () => {
  const [ann, ben, cy, dee] = [await made('users'), await made('users'), await made('users'), await made('users')]
  const group = `/api/userGroups/${await made('userGroups', { members: [ann, ben] })}`
  const changed = await ask('PATCH', group, { body: { members: [ann, cy] } })
  await ask('PATCH', group, { body: { members: [cy, dee] } })
  expect((await undo(ask, entryOf(changed))).json).toMatchObject({ item: { members: [ben, dee] } })
  expect(await fieldOf(group, 'members')).toEqual([ben, dee])
})

test('an added member that was removed since is a conflict that names the field', async () => {
  const [ann, ben] = [await made('users'), await made('users')]
  const group = `/api/userGroups/${await made('userGroups')}`
  const changed = await ask('PATCH', group, { body: { members: [ann, ben] } })
  await ask('PATCH', `/api/users/${ann}`, { body: { groups: [] } })
  const { status, error, json } = await undo(ask, entryOf(changed))
  expect([status, Object.keys(error.fields)]).toEqual([409, ['members']])
  expect(json).toMatchObject({ item: { members: [ben] } })
})

test("the groups of a user are restored from the user's side", async () => {
  const [night, day] = [await made('userGroups'), await made('userGroups')]
  const person = `/api/users/${await made('users', { groups: [night] })}`
  const changed = await ask('PATCH', person, { body: { groups: [day] } })
  await undo(ask, entryOf(changed))
  expect(await fieldOf(person, 'groups')).toEqual([night])
  expect(await fieldOf(`/api/userGroups/${night}`, 'members')).toEqual([person.split('/').at(-1)])
  expect(await fieldOf(`/api/userGroups/${day}`, 'members')).toEqual([])
})

test('the subjects of a rule are restored, also of different kinds', async () => {
  const [person, group, door] = [await made('users'), await made('userGroups'), await made('doors')]
  const who = [{ kind: 'User', id: person }]
  const rule = `/api/rules/${await made('rules', { who, where: [{ kind: 'Door', id: door }] })}`
  const changed = await ask('PATCH', rule, { body: { who: [{ kind: 'User Group', id: group }], where: [] } })
  await undo(ask, entryOf(changed))
  expect((await ask('GET', rule)).item).toMatchObject({ who, where: [{ kind: 'Door', id: door }] })
})

test.each([
  ['doors', 'doorGroups'],
  ['sites', 'siteGroups'],
  ['users', 'userGroups'],
] as const)('restored %s are back in their groups, also in those of accounts above', async (collection, groups) => {
  const [item, other] = [await made(collection, {}, branch), await made(collection, {}, branch)]
  const own = await made(groups, { members: [item, other] }, branch)
  const above = await made(groups, { members: [item, other] })
  const deleted = await branch('DELETE', `/api/${collection}/${item}`)
  expect((await ask('GET', `/api/${groups}/${above}`)).item['members']).toEqual([other])
  const admin = await server.signInAs({ role: 'admin', account: 'branch' })
  expect((await undo(admin.ask, entryOf(deleted))).status).toBe(200)
  const both = [item, other].toSorted()
  expect((await ask('GET', `/api/${groups}/${above}`)).item['members']).toEqual(both)
  expect((await branch('GET', `/api/${groups}/${own}`)).item['members']).toEqual(both)
})

test("a deleted group prevents the undo of a member's deletion and is named", async () => {
  const door = await made('doors')
  const group = await made('doorGroups', { name: 'Loading bay', members: [door] })
  const deleted = await ask('DELETE', `/api/doors/${door}`)
  const groupDeleted = await ask('DELETE', `/api/doorGroups/${group}`)
  const refused = await undo(ask, entryOf(deleted))
  expect([refused.status, refused.error.fields]).toEqual([422, { doorGroups: 'No longer there: Loading bay.' }])
  expect((await ask('GET', `/api/doors/${door}`)).status).toBe(404)
  expect((await undo(ask, entryOf(groupDeleted))).json).toMatchObject({ item: { members: [] } })
  expect((await undo(ask, entryOf(deleted))).status).toBe(200)
  expect((await ask('GET', `/api/doorGroups/${group}`)).item['members']).toEqual([door])
})

test('a restored group has its members again, and a deleted member is named', async () => {
  const [ann, ben] = [await made('users', { name: 'Ann Baker' }), await made('users')]
  const members = [ann, ben].toSorted()
  const group = await made('userGroups', { members })
  const deleted = await ask('DELETE', `/api/userGroups/${group}`)
  const undone = await undo(ask, entryOf(deleted))
  expect(undone.json).toMatchObject({ item: { members } })
  const again = await ask('DELETE', `/api/userGroups/${group}`)
  await ask('DELETE', `/api/users/${ann}`)
  const refused = await undo(ask, entryOf(again))
  expect([refused.status, refused.error.fields]).toEqual([422, { members: 'No longer there: Ann Baker.' }])
})

test('undoing the creation of a group deletes no other item', async () => {
  const ann = await made('users')
  const created = await ask('POST', '/api/userGroups', { body: { name: 'Short', members: [ann] } })
  await undo(ask, entryOf(created))
  expect((await ask('GET', `/api/users/${ann}`)).item['groups']).toEqual([])
  expect((await logOf(server, created.item._id)).map(({ action }) => action)).toEqual(['delete', 'create'])
})

test('§1 the name of a deleted group of an account above is hidden below', async () => {
  const name = 'A secret of the account above'
  const member = await made('users', {}, branch)
  const group = await made('userGroups', { name, members: [member] })
  const deleted = await branch('DELETE', `/api/users/${member}`)
  expect((await ask('DELETE', `/api/userGroups/${group}`)).status).toBe(204)
  const { status, error } = await undo(branch, entryOf(deleted))
  expect([status, error.code]).toEqual([422, 'unknown_reference'])
  expect(error.fields).toEqual({ userGroups: 'This no longer exists.' })
  expect(JSON.stringify(error)).not.toContain(name)
})

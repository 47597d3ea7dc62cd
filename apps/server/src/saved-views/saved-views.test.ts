import type { BodyOf } from '@portcullis/contract/call'
import { type createSavedView, savedView } from '@portcullis/contract/calls/saved-views'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer, type TestUser } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch' } })

const path = '/api/savedViews'
const query = { status: 'suspended', sort: '-name', columns: 'name,status' }

type View = BodyOf<typeof createSavedView>
const save = ({ client }: TestUser, view: Partial<View> = {}) =>
  client.savedViews.create({ list: 'users', name: uuidv7(), query, ...view })
const names = async ({ client }: TestUser, list = 'users') =>
  (await client.savedViews.list(list)).views.map(({ name }) => name)

const manager = () => server.signInAs({ role: 'accessManager' })

describe('§4 saved views', () => {
  test('a view is visible as it was saved, to its owner only', async () => {
    const [owner, other] = [await manager(), await manager()]
    const view = await save(owner, { name: 'Suspended' })
    expect(view).toMatchObject({ list: 'users', name: 'Suspended', query, shared: false, own: true, version: 1 })
    expect((await owner.client.savedViews.list('users')).views).toEqual([view])
    expect(await names(owner, 'units')).toEqual([])
    expect(await names(other)).toEqual([])
    for (const [method, body] of [
      ['PATCH', {}],
      ['DELETE', undefined],
    ] as const) {
      const answer = await other.ask(method, `${path}/${view._id}`, { body })
      expect([answer.status, answer.error.code], method).toEqual([404, 'not_found'])
    }
  })

  test('a shared view is visible to users who see the list in the account, with its owner', async () => {
    const [owner, other] = [await manager(), await manager()]
    const view = await save(owner, { shared: true })
    const seen = (await other.client.savedViews.list('users')).views.find(({ _id }) => _id === view._id)
    expect(seen).toEqual({ ...view, own: false })
    expect(seen?.ownerName).toBe('A accessManager')
    const elsewhere = await server.in('branch')('GET', `${path}?list=users`)
    expect(JSON.stringify(elsewhere.json)).not.toContain(view._id)
  })

  test('sharing requires the right to manage the items of the list', async () => {
    const viewer = await server.signInAs({ role: 'reportingUser' })
    const body = { list: 'sites', name: 'Mine', query, shared: true }
    const created = await viewer.ask('POST', path, { body })
    expect([created.status, Object.keys(created.error.fields)]).toEqual([403, ['shared']])
    const view = await save(viewer, { list: 'sites' })
    const shared = await viewer.ask('PATCH', `${path}/${view._id}`, { body: { shared: true } })
    expect([shared.status, Object.keys(shared.error.fields)]).toEqual([403, ['shared']])
  })

  test('a shared view of another user cannot be changed, but deleted by users who may share', async () => {
    const [owner, other] = [await manager(), await manager()]
    const viewer = await server.signInAs({ role: 'reportingUser' })
    const view = await save(owner, { list: 'units', shared: false })
    const sites = await save(await server.signInAs({ role: 'installer' }), { list: 'sites', shared: true })
    expect((await viewer.ask('PATCH', `${path}/${sites._id}`, { body: { name: 'x' } })).status).toBe(403)
    expect((await viewer.ask('DELETE', `${path}/${sites._id}`)).status).toBe(403)
    expect((await other.ask('DELETE', `${path}/${view._id}`)).status).toBe(404)
    const installer = await server.signInAs({ role: 'installer' })
    expect((await installer.ask('DELETE', `${path}/${sites._id}`)).status).toBe(204)
    expect((await viewer.ask('DELETE', `${path}/${sites._id}`)).status).toBe(404)
  })

  test('its owner can rename, change, share and unshare a view', async () => {
    const owner = await manager()
    const view = await save(owner)
    const changes = { name: 'Renamed', query: { role: 'admin' }, shared: true }
    const changed = await owner.client.savedViews.patch(view._id, changes)
    expect(changed).toEqual({ ...view, ...changes, version: 2 })
    expect((await owner.client.savedViews.patch(view._id, { shared: false })).shared).toBe(false)
    const late = await owner.ask('PATCH', `${path}/${view._id}`, { body: { name: 'Late', version: 1 } })
    expect([late.status, late.error.code]).toEqual([409, 'conflict'])
  })

  test('§7 a view is saved as it was read, with a change, and its list does not change', async () => {
    const owner = await manager()
    const view = await save(owner)
    const saved = await owner.ask('PATCH', `${path}/${view._id}`, { body: { ...view, name: 'Renamed' } })
    expect([saved.status, saved.json]).toEqual([200, { ...view, name: 'Renamed', version: 2 }])
    const refused = await owner.ask('PATCH', `${path}/${view._id}`, { body: { ...view, list: 'rules', version: 2 } })
    expect([refused.status, Object.keys(refused.error.fields)]).toEqual([400, ['list']])
  })

  test('a name is unique per user and list, and free for other users', async () => {
    const [owner, other] = [await manager(), await manager()]
    await save(owner, { name: 'Late shift' })
    const view = await save(owner, { name: 'Early shift' })
    for (const again of [
      await owner.ask('POST', path, { body: { list: 'users', name: 'Late shift', query } }),
      await owner.ask('PATCH', `${path}/${view._id}`, { body: { name: 'Late shift' } }),
    ]) {
      expect([again.status, again.error.code, Object.keys(again.error.fields)]).toEqual([409, 'taken', ['name']])
    }
    await save(other, { name: 'Late shift' })
    await save(owner, { name: 'Late shift', list: 'rules' })
  })

  test('a user can save at most 100 views of a list', async () => {
    const owner = await manager()
    for (let count = 0; count < 100; count += 1) await save(owner)
    const more = await owner.ask('POST', path, { body: { list: 'users', name: 'One more', query } })
    expect([more.status, more.error.code]).toEqual([422, 'too_many_views'])
  })

  test('views are deleted with their owner', async () => {
    const owner = await manager()
    const view = await save(owner, { shared: true })
    const removed = await server.ask('DELETE', `/api/users/${owner.userId}`)
    expect(removed.status).toBe(204)
    expect(JSON.stringify((await server.ask('GET', `${path}?list=users`)).json)).not.toContain(view._id)
  })
})

test.each([
  ['an unknown list', { list: 'walls' }, 'list'],
  ['a list with a strange name', { list: 'users; drop' }, 'list'],
  ['no name', { name: '' }, 'name'],
  ['a parameter that is not a word', { query: { 'a b': 'x' } }, 'query.a b'],
  ['a value that is not text', { query: { status: 7 } }, 'query.status'],
  [
    'more parameters than a list has',
    { query: Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`p${index}`, 'x'])) },
    'query',
  ],
  ['an unknown field', { colour: 'red' }, 'colour'],
])('%s is refused, naming the field', async (_what, wrong, field) => {
  const answer = await server.ask('POST', path, { body: { list: 'users', name: 'x', query, ...wrong } })
  expect([answer.status, Object.keys(answer.error.fields)]).toEqual([400, [field]])
})

describe('§4 columns', () => {
  test('are remembered per user and list, in every account, until they are cleared', async () => {
    const { client, ask } = await server.signInAs({ role: 'admin' })
    const columns = ['status', 'name']
    expect((await client.savedViews.list('units')).columns).toBeNull()
    await client.savedViews.rememberColumns({ list: 'units', columns: ['name'] })
    await client.savedViews.rememberColumns({ list: 'units', columns })
    expect((await client.savedViews.list('units')).columns).toEqual(columns)
    expect((await client.savedViews.list('users')).columns).toBeNull()
    const below = await ask('GET', `${path}?list=units`, { headers: { 'x-js-account': 'branch' } })
    expect(below.json).toMatchObject({ columns })
    await client.savedViews.rememberColumns({ list: 'units', columns: null })
    expect((await client.savedViews.list('units')).columns).toBeNull()
  })

  test('are private to the user', async () => {
    const [one, two] = [await manager(), await manager()]
    await one.client.savedViews.rememberColumns({ list: 'users', columns: ['name'] })
    expect((await two.client.savedViews.list('users')).columns).toBeNull()
  })
})

test('§6 users who may not see a list get no views of it', async () => {
  const viewer = await server.signInAs({ role: 'reportingUser' })
  const answers = [
    await viewer.ask('GET', `${path}?list=units`),
    await viewer.ask('POST', path, { body: { list: 'units', name: 'x', query } }),
    await viewer.ask('PUT', `${path}/columns`, { body: { list: 'units', columns: ['name'] } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
})

test('the database limits views to the set accounts and denies access to remembered columns', async () => {
  const view = await save(server)
  expect(savedView.parse(view)).toEqual(view)
  const [main, branch] = [await server.keyOf(server.account), await server.keyOf('branch')]
  const find = sql`select from saved_view where saved_view_id = ${view._id}`
  expect(await server.database.inAccounts([main], (tx) => tx.run(find))).toBe(1)
  expect(await server.database.inAccounts([branch], (tx) => tx.run(find))).toBe(0)
  await expect(server.database.inAccounts([main], (tx) => tx.run(sql`select from remembered_columns`))).rejects.toThrow(
    'permission denied',
  )
})

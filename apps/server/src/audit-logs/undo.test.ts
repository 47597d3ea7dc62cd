import { isConflict } from '@portcullis/client/api-error'
import { collections } from '@portcullis/contract/collections/registry'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem, type Written, completeItem, written } from '../collections/test-items.ts'
import { type Item, startTestServer, type TestUser } from '../test-server.ts'
import { entryOf, logOf, undo } from './test-undo.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

/** A new account belongs to itself, so it is changed inside itself. */
function where(collection: Written, item: Item): TestUser['ask'] {
  return collection === 'accounts' ? server.in(String(item['ref'])) : ask
}

/** The fields that an undone deletion reports as not restored. */
const lost: Partial<Record<Written, string[]>> = { users: ['password'] }

const thrice = (code: string) => Array.from({ length: 3 }, () => [409, code])

describe.each(written)('%s', (collection) => {
  const path = `/api/${collection}`

  test('a patch is undone by a change of its own, and redone by undoing that change', async () => {
    const made = await makeItem({ ask, collection })
    const inside = where(collection, made)
    const change = collection === 'credentials' ? { number: `n-${made._id}` } : { name: 'Second' }
    const patched = await inside('PATCH', `${path}/${made._id}`, { body: change })
    const undone = await undo(ask, entryOf(patched))
    const now = await inside('GET', `${path}/${made._id}`)
    expect(now.item).toEqual({ ...made, version: 3, updatedAt: now.item['updatedAt'] })
    expect(undone.json).toEqual({
      entry: entryOf(undone),
      collection,
      action: 'patch',
      item: now.item,
      notRestored: [],
    })
    const redone = await undo(ask, entryOf(undone))
    expect(redone.json).toMatchObject({ action: 'patch', item: { ...change, version: 4 }, notRestored: [] })
    expect(await logOf(server, made._id)).toMatchObject([
      { action: 'patch', after: change, undoes: entryOf(undone), actor: server.userId },
      { action: 'patch', before: change, undoes: entryOf(patched), actor: server.userId },
      { action: 'patch', after: change, undoes: null },
      { action: 'create', undoes: null },
    ])
  })

  test('a creation is undone by a deletion, and redone with the same _id', async () => {
    const created = await ask('POST', path, { body: await completeItem({ ask, collection }) })
    const { _id } = created.item
    const undone = await undo(ask, entryOf(created))
    expect(undone.json).toEqual({
      entry: entryOf(undone),
      collection,
      action: 'delete',
      item: null,
      notRestored: [],
    })
    expect((await where(collection, created.item)('GET', `${path}/${_id}`)).status).toBe(
      collection === 'accounts' ? 403 : 404,
    )
    const redone = await undo(ask, entryOf(undone))
    expect(redone.json).toMatchObject({ action: 'create', item: { _id } })
    expect((await where(collection, created.item)('GET', `${path}/${_id}`)).status).toBe(200)
  })

  test('a deletion is undone with every field, the same _id, and the next version', async () => {
    const { item } = await ask('POST', path, { body: await completeItem({ ask, collection }) })
    const inside = where(collection, item)
    const deleted = await inside('DELETE', `${path}/${item._id}`)
    expect([deleted.status, deleted.json]).toEqual([204, {}])
    const undone = await undo(ask, entryOf(deleted))
    const now = await inside('GET', `${path}/${item._id}`)
    const { createdAt, updatedAt } = now.item
    expect(now.item).toEqual({ ...item, version: 2, createdAt, updatedAt })
    expect(collections[collection].entitySchema.strict().parse(now.json)).toEqual(now.json)
    expect(undone.json).toEqual({
      entry: entryOf(undone),
      collection,
      action: 'create',
      item: now.item,
      notRestored: lost[collection] ?? [],
    })
    expect(await logOf(server, item._id)).toMatchObject([
      { action: 'create', undoes: entryOf(deleted) },
      { action: 'delete', undoes: null },
      { action: 'create', undoes: null },
    ])
  })

  test('of several concurrent undos one succeeds, and the others report that it is done', async () => {
    const made = await makeItem({ ask, collection })
    const inside = where(collection, made)
    const change = collection === 'credentials' ? { number: `m-${made._id}` } : { name: 'Second' }
    const patched = await inside('PATCH', `${path}/${made._id}`, { body: change })
    const deleted = await inside('DELETE', `${path}/${made._id}`)
    for (const [changed, code] of [
      [deleted, 'already_restored'],
      [patched, 'changed_since'],
    ] as const) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => undo(ask, entryOf(changed))))
      const [done, ...late] = answers.toSorted((one, other) => one.status - other.status)
      expect([done?.status, late.map(({ status, error }) => [status, error.code])]).toEqual([200, thrice(code)])
      for (const { json } of late) expect(json).toMatchObject({ item: { _id: made._id } })
    }
    const first = z.string().parse((await logOf(server, made._id)).at(-1)?._id)
    const answers = await Promise.all([1, 2, 3, 4].map(() => undo(ask, first)))
    const [done, ...late] = answers.toSorted((one, other) => one.status - other.status)
    expect(done?.status).toBe(200)
    // The creation of an account is logged inside it: once the account is deleted, the entry is not found.
    const expected = collection === 'accounts' ? ['deleted_since', 'not_found'] : ['deleted_since']
    for (const { error } of late) expect(expected).toContain(error.code)
  })
})

describe('a patch', () => {
  test('is not undone if its fields changed since: the error names them and returns the item', async () => {
    const { _id } = await makeItem({ ask, collection: 'sites' })
    const target = `/api/sites/${_id}`
    const first = await ask('PATCH', target, { body: { name: 'First', address: '1 Long Street', calendars: ['ZA'] } })
    const second = await ask('PATCH', target, { body: { name: 'Second', calendars: [] } })
    const { status, error, json } = await undo(ask, entryOf(first))
    expect([status, error.code, Object.keys(error.fields)]).toEqual([409, 'changed_since', ['name', 'calendars']])
    expect(json).toMatchObject({ item: second.json })
    expect((await ask('GET', target)).json).toEqual(second.json)
  })

  test('is undone without affecting later changes of other fields', async () => {
    const made = await makeItem({ ask, collection: 'sites' })
    const target = `/api/sites/${made._id}`
    const first = await ask('PATCH', target, { body: { name: 'First', location: { lat: 1, lng: 2 } } })
    await ask('PATCH', target, { body: { address: '1 Long Street' } })
    expect((await undo(ask, entryOf(first))).json).toMatchObject({
      item: { name: made['name'], location: null, address: '1 Long Street' },
    })
  })

  test('that changed nothing cannot be undone', async () => {
    const made = await makeItem({ ask, collection: 'sites' })
    const patched = await ask('PATCH', `/api/sites/${made._id}`, { body: { name: made['name'] } })
    const { status, error } = await undo(ask, entryOf(patched))
    expect([status, error.code]).toEqual([422, 'nothing_to_restore'])
  })

  test('of fields that no form sets is not undone', async () => {
    const unit = (await makeItem({ ask, collection: 'units' }))._id
    const { _id } = await makeItem({ ask, collection: 'doors', fields: { unit, unitDoor: 1 } })
    expect((await ask('PUT', `/api/doors/${_id}/mode`, { body: { mode: 'lockdown' } })).status).toBe(200)
    const [entry] = await logOf(server, _id)
    const { status, error } = await undo(ask, z.string().parse(entry?._id))
    expect([status, error.code]).toEqual([422, 'not_restorable'])
    expect(error.message).toContain('mode')
    expect((await ask('GET', `/api/doors/${_id}`)).item).toMatchObject({ mode: 'lockdown' })
  })

  test('of a deleted item is a conflict, and so is its creation', async () => {
    const created = await ask('POST', '/api/sites', { body: { name: 'Soon gone', timeZone: 'UTC' } })
    const patched = await ask('PATCH', `/api/sites/${created.item._id}`, { body: { name: 'Gone' } })
    await ask('DELETE', `/api/sites/${created.item._id}`)
    for (const change of [patched, created]) {
      const { status, error } = await undo(ask, entryOf(change))
      expect([status, error.code]).toEqual([409, 'deleted_since'])
    }
  })

  test('is checked like any patch: deleted references are named', async () => {
    const schedule = await makeItem({ ask, collection: 'schedules', fields: { name: 'Night shift' } })
    const rule = await makeItem({ ask, collection: 'rules', fields: { schedule: schedule._id } })
    const without = await ask('PATCH', `/api/rules/${rule._id}`, { body: { schedule: null } })
    await ask('DELETE', `/api/schedules/${schedule._id}`)
    const { status, error } = await undo(ask, entryOf(without))
    expect([status, error.code, error.fields]).toEqual([
      422,
      'unknown_reference',
      { schedule: 'No longer there: Night shift.' },
    ])
  })

  test('is checked like any patch: a unique value may be taken', async () => {
    const unit = await makeItem({ ask, collection: 'units', fields: { serial: 'FIRST' } })
    const renamed = await ask('PATCH', `/api/units/${unit._id}`, { body: { serial: 'OTHER' } })
    await makeItem({ ask, collection: 'units', fields: { serial: 'FIRST' } })
    const { status, error } = await undo(ask, entryOf(renamed))
    expect([status, error.code, Object.keys(error.fields)]).toEqual([409, 'taken', ['serial']])
  })

  test('is checked like any patch: domain rules may refuse it', async () => {
    const unit = (await makeItem({ ask, collection: 'units' }))._id
    const door = await makeItem({ ask, collection: 'doors', fields: { unitDoor: 1 } })
    const wired = await ask('PATCH', `/api/doors/${door._id}`, { body: { unit } })
    await makeItem({ ask, collection: 'interlockingGroups', fields: { doors: [door._id] } })
    const { status, error } = await undo(ask, entryOf(wired))
    expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'door_in_interlock', ['unit']])
  })
})

describe('a create', () => {
  test('is not undone while something refers to it, and the error says what', async () => {
    const created = await ask('POST', '/api/sites', { body: { name: 'In use', timeZone: 'UTC' } })
    const door = await makeItem({ ask, collection: 'doors', fields: { site: created.item._id } })
    const refused = await undo(ask, entryOf(created))
    expect([refused.status, refused.error.code]).toEqual([422, 'used_by_others'])
    expect(refused.error.message).toContain('doors')
    await ask('DELETE', `/api/doors/${door._id}`)
    expect((await undo(ask, entryOf(created))).status).toBe(200)
  })
})

describe('a delete', () => {
  test('is not undone if an item that it refers to is deleted: the error names it', async () => {
    const site = await makeItem({ ask, collection: 'sites', fields: { name: 'Old harbour' } })
    const door = await makeItem({ ask, collection: 'doors', fields: { site: site._id } })
    const deleted = await ask('DELETE', `/api/doors/${door._id}`)
    await ask('DELETE', `/api/sites/${site._id}`)
    const { status, error } = await undo(ask, entryOf(deleted))
    expect([status, error.code, error.fields]).toEqual([
      422,
      'unknown_reference',
      { site: 'No longer there: Old harbour.' },
    ])
  })

  test('is not undone if a unique value has been taken since', async () => {
    const number = uuidv7()
    const first = await makeItem({ ask, collection: 'credentials', fields: { number } })
    const deleted = await ask('DELETE', `/api/credentials/${first._id}`)
    await makeItem({ ask, collection: 'credentials', fields: { number } })
    const { status, error } = await undo(ask, entryOf(deleted))
    expect([status, error.code, Object.keys(error.fields)]).toEqual([409, 'taken', ['number']])
  })

  test('restores with the next version, so that a form opened before does not overwrite the item', async () => {
    const made = await makeItem({ ask, collection: 'contacts' })
    const target = `/api/contacts/${made._id}`
    await ask('PATCH', target, { body: { name: 'Second' } })
    const undone = await undo(ask, entryOf(await ask('DELETE', target)))
    expect(undone.json).toMatchObject({ item: { version: 3 } })
    for (const version of [1, 2]) {
      expect((await ask('PATCH', target, { body: { name: 'Stale', version } })).status).toBe(409)
    }
  })
})

test('a program can undo its changes with the history entry that each change returns', async () => {
  const { client } = server
  const sites = client.of(collections.sites)
  const recorded: string[] = []
  const writing = { onRecorded: (entry: string) => recorded.push(entry) }
  const site = await sites.create({ name: 'Made by a program', timeZone: 'UTC' }, writing)
  await sites.patch(site._id, { name: 'Renamed' }, writing)
  await sites.remove(site._id, writing)
  const [created = '', patched = '', deleted = ''] = recorded
  expect(await client.history.undo(deleted)).toMatchObject({ action: 'create', item: { name: 'Renamed' } })
  expect(await client.history.undo(patched)).toMatchObject({ action: 'patch', item: { name: 'Made by a program' } })
  const { at } = await client.of(collections.auditLogs).get(patched)
  await expect(client.history.undo(patched)).rejects.toSatisfy(isConflict)
  expect(await client.history.asOf(collections.sites, site._id, { at })).toMatchObject({ item: { name: 'Renamed' } })
  expect(await client.history.undo(created)).toMatchObject({ action: 'delete', item: null })
})

test('unknown and invalid ids of entries give 404', async () => {
  for (const id of [uuidv7(), '7', '%00', 'null']) {
    const { status, error } = await undo(ask, id)
    expect([status, error.code], id).toEqual([404, 'not_found'])
  }
})

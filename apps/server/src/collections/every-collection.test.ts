import { type CollectionName, collections } from '@portcullis/contract/collections/registry'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Item, startTestServer, type TestUser } from '../test-server.ts'
import { isWritten, minimalItem, makeItem, type Written, completeItem, written } from './test-items.ts'

const server = await startTestServer()
afterAll(server.stop)

const site = (await makeItem({ ask: server.ask, collection: 'sites' }))._id
const everywhere = { headers: { 'x-js-all-accounts': 'true' } }

/** A new account belongs to itself, so it is changed inside itself. */
function where(collection: Written, item: Item): TestUser['ask'] {
  return collection === 'accounts' ? server.in(String(item['ref'])) : server.ask
}

test('all collections except the logs are writable', () => {
  const logs = Object.values(collections).flatMap(({ name }) => (isWritten(name) ? [] : [name]))
  expect(logs).toEqual(['auditLogs', 'events', 'lockdowns', 'tasks'])
  expect(written).toHaveLength(Object.keys(collections).length - logs.length)
})

describe.each(written)('%s', (collection) => {
  const path = `/api/${collection}`
  const make = (fields = {}) => makeItem({ ask: server.ask, collection, fields, site })

  test('create returns 201 with the item that GET then returns, as the contract describes it', async () => {
    const answer = await server.ask('POST', path, { body: minimalItem(collection, { site }) })
    expect(answer.status).toBe(201)
    const got = await where(collection, answer.item)('GET', `${path}/${answer.item._id}`)
    expect(got.status).toBe(200)
    expect(got.json).toEqual(answer.json)
    expect(collections[collection].entitySchema.strict().parse(got.json)).toEqual(got.json)
    expect(answer.item).toMatchObject({ version: 1, ...initialValues(collection) })
  })

  test('every field that may be set is stored, and a patch changes only the fields that it names', async () => {
    const fields = await completeItem({ ask: server.ask, collection })
    const created = await server.ask('POST', path, { body: fields })
    expect(created.status).toBe(201)
    expect(created.item).toMatchObject(fields)
    const change = collection === 'credentials' ? { number: 'changed' } : { name: 'Changed' }
    const patched = await where(collection, created.item)('PATCH', `${path}/${created.item._id}`, { body: change })
    expect(patched.status).toBe(200)
    expect(patched.item).toEqual({ ...created.item, ...change, version: 2, updatedAt: patched.item['updatedAt'] })
  })

  test('each field may be patched back to its default by itself', async () => {
    const whole = await completeItem({ ask: server.ask, collection })
    const { item } = await server.ask('POST', path, { body: whole })
    for (const [field, value] of Object.entries(initialValues(collection))) {
      const patched = await where(collection, item)('PATCH', `${path}/${item._id}`, { body: { [field]: value } })
      expect(patched.status, field).toBe(200)
      expect(patched.item[field]).toEqual(value)
    }
  })

  test('unknown keys, and fields that only the server sets, are refused by name', async () => {
    const least = minimalItem(collection, { site })
    const id = uuidv7()
    const { item } = await server.ask('POST', path, { body: least })
    const keys = ['colour', '_id', 'account', 'createdAt', 'updatedAt', ...serverFields(collection)]
    const refused = async (answer: ReturnType<typeof server.ask>) => {
      const { status, error } = await answer
      return [status, status === 400 ? Object.keys(error.fields) : []]
    }
    const ask = where(collection, item)
    const answers = keys.map(async (key) => [
      await refused(server.ask('POST', path, { body: { ...least, [key]: id } })),
      await refused(ask('PATCH', `${path}/${item._id}`, { body: { [key]: id } })),
    ])
    const isState = (key: string) => key === 'updatedAt' || Object.hasOwn(collections[collection].fields.state, key)
    expect(await Promise.all(answers)).toEqual(
      keys.map((key) => [[400, [key]], isState(key) ? [200, []] : [400, [key]]]),
    )
    const after = await ask('GET', `${path}/${item._id}`)
    for (const key of keys.filter((name) => name !== 'updatedAt')) expect(after.item[key], key).toEqual(item[key])
  })

  test('missing required fields are named', async () => {
    const answer = await server.ask('POST', path, { body: {} })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.error.fields).sort()).toEqual(requiredFields(collection))
  })

  test('a body that is not an object is refused', async () => {
    for (const body of ['[]', '"text"', '7', 'null', '']) {
      for (const [method, target] of [['POST', path] as const, ['PATCH', `${path}/${uuidv7()}`] as const]) {
        const answer = await server.ask(method, target, { body })
        expect([answer.status, Object.keys(answer.error.fields)], `${method} ${body}`).toEqual([400, ['body']])
      }
    }
  })

  test('a change of another version is a conflict that returns the current item', async () => {
    const item = await make()
    const ask = where(collection, item)
    const target = `${path}/${item._id}`
    const rename = collection === 'credentials' ? { number: `n-${item._id}` } : { name: 'First' }
    const first = await ask('PATCH', target, { body: { ...rename, version: 1 } })
    expect(first.status).toBe(200)
    for (const second of [
      await ask('PATCH', target, { body: { ...rename, version: 1 } }),
      await ask('PATCH', target, { body: rename, headers: { 'if-match': '"1"' } }),
      await ask('PATCH', target, { body: rename, headers: { 'if-match': '1' } }),
      await ask('PATCH', target, { body: { version: 2_147_483_648 } }),
    ]) {
      expect([second.status, second.error.code]).toEqual([409, 'conflict'])
      expect(second.json).toMatchObject({ item: first.item })
    }
    const third = await ask('PATCH', target, { body: rename, headers: { 'if-match': '"2"' } })
    expect([third.status, third.item['version']]).toEqual([200, 3])
  })

  test('of concurrent changes of one version exactly one wins', async () => {
    const item = await make()
    const ask = where(collection, item)
    const body = { version: 1 }
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('PATCH', `${path}/${item._id}`, { body })))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409])
  })

  test('delete returns 204, and the item is gone from get, list, patch and delete', async () => {
    const item = await make()
    const ask = where(collection, item)
    const target = `${path}/${item._id}`
    const removed = await ask('DELETE', target)
    expect([removed.status, removed.json]).toEqual([204, {}])
    const list = await server.ask('GET', `${path}?size=500`, everywhere)
    expect(list.items.map(({ _id }) => _id)).not.toContain(item._id)
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const again = await server.ask(method, target, method === 'PATCH' ? { body: {} } : everywhere)
      expect([again.status, again.error.code], method).toEqual([404, 'not_found'])
    }
  })

  test('an invalid id gives 404, like an unknown one', async () => {
    for (const id of ['7', '%00', uuidv7()]) {
      const target = `${path}/${id}`
      const answers = await Promise.all([
        server.ask('GET', target),
        server.ask('PATCH', target, { body: {} }),
        server.ask('DELETE', target),
      ])
      for (const { status, error } of answers) expect([status, error.code], id).toEqual([404, 'not_found'])
    }
  })

  test('the cursor reads the whole list without gaps or repeats, in both directions of every order', async () => {
    for (let index = 0; index < 5; index += 1) await make()
    const { page } = await server.ask('GET', path, everywhere)
    const size = `${Math.floor(Number(page['totalElements']) / 2) + 1}`
    for (const prop of collections[collection].queryable) {
      for (const dir of ['asc', 'desc']) {
        const sort = JSON.stringify({ prop, dir })
        const whole = await server.ask(
          'GET',
          `${path}?${new URLSearchParams({ size: '500', sort }).toString()}`,
          everywhere,
        )
        expect(whole.items).toHaveLength(Number(page['totalElements']))
        expect(await walk(path, { size, sort }), sort).toEqual(whole.items.map(({ _id }) => _id))
      }
    }
  })
})

/** The ids of all items, read page by page with the cursor. */
async function walk(path: string, query: Record<string, string>) {
  const ids: string[] = []
  let after: string | null = null
  do {
    const search = new URLSearchParams({ ...query, ...(after ? { after } : {}) })
    const { items, next } = await server.ask('GET', `${path}?${search.toString()}`, everywhere)
    ids.push(...items.map(({ _id }) => _id))
    after = next
  } while (after !== null)
  return ids
}

/** The defaults of the optional fields. */
function initialValues(collection: Written) {
  return z.object(collections[collection].fields.optional).parse({})
}

function serverFields(collection: CollectionName) {
  const { server: fields, state } = collections[collection].fields
  return [...Object.keys(fields), ...Object.keys(state)]
}

function requiredFields(collection: Written) {
  const { required, fixed } = collections[collection].fields
  const schemas = Object.entries<z.core.$ZodType>(fixed)
  const mustGive = schemas.filter(([, schema]) => !z.safeParse(schema, undefined).success)
  // The number of a card follows from its format.
  const always = Object.keys(required).filter((field) => collection !== 'credentials' || field !== 'number')
  return [...always, ...mustGive.map(([field]) => field)].toSorted()
}

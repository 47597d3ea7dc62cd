import type { Collection } from '@portcullis/contract/collection'
import { metaOf } from '@portcullis/contract/fields'
import { enrolText } from '@portcullis/contract/unit-protocol/signed-texts'
import { generateKeys, signText } from '@portcullis/controllers/keys'
import fc from 'fast-check'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { arbitraryOf } from './collections/test-arbitraries.ts'
import { isWritten, makeItem, type Written } from './collections/test-items.ts'
import { tableOf } from './query/columns.ts'
import { readItems } from './query/read-items.ts'
import { startTestServer } from './test-server.ts'
import { enrol, issueEnrolmentCode } from './units/enrol.ts'
import { readStored, storedPolicy, type UnreadableItem } from './policy/stored-policy.ts'
import sql from 'sql-template-tag'

const server = await startTestServer()
afterAll(server.stop)

/** Each is several requests to a real server. */
const numRuns = Math.max(10, Math.round(inject('randomCases') / 40))
const lists = Object.values(storedPolicy)
  .map(({ collection }) => collection.name)
  .filter(isWritten)

/** Items that others may refer to, by collection. */
const made = new Map<string, string>()
for (const collection of lists) {
  if (collection === 'accounts') continue
  const site = made.get('sites')
  made.set(collection, (await makeItem({ ask: server.ask, collection, ...(site === undefined ? {} : { site }) }))._id)
}

describe.each(lists)('items that calls write to %s', (collection) => {
  test('can be read by the policy', async () => {
    const { createSchema, patchSchema } = storedCollection(collection)
    const input = fc.tuple(itemsOf(collection, createSchema), itemsOf(collection, patchSchema))
    let written = 0
    await fc.assert(
      fc.asyncProperty(input, async ([fields, change]) => {
        const created = await server.ask('POST', `/api/${collection}`, { body: fields })
        expect(created.status).toBeLessThan(500)
        if (created.status !== 201) return
        written += 1
        const ask = collection === 'accounts' ? server.in(String(created.item['ref'])) : server.ask
        const { version: _version, ...body } = change
        const patched = await ask('PATCH', `/api/${collection}/${created.item._id}`, { body })
        expect(patched.status).toBeLessThan(500)
        expect(await unreadable(collection, created.item._id)).toEqual([])
      }),
      { numRuns, endOnFailure: true },
    )
    // Otherwise the property would be tested with no item.
    expect(written).toBeGreaterThan(0)
  })
})

test('the policy can read everything that a controller reports at its enrolment', async () => {
  const model = fc.option(
    fc.string({ maxLength: 80, unit: 'binary' }).map((text) => text.slice(0, 80)),
    { nil: undefined },
  )
  await fc.assert(
    fc.asyncProperty(model, async (reported) => {
      const unit = await makeItem({ ask: server.ask, collection: 'units' })
      const { code } = await server.database.asSystem((tx) => issueEnrolmentCode(tx, unit._id))
      const [serial, nonce, keys] = [String(unit['serial']), 'a nonce', generateKeys()]
      const signature = signText(keys.privateKey, enrolText({ nonce, code, serial }))
      const clean = reported?.replaceAll('\0', '\uFFFD').toWellFormed()
      const frame = {
        type: 'enrol',
        code,
        serial,
        publicKey: keys.publicKey,
        signature,
        ...(clean === undefined ? {} : { model: clean }),
      } as const
      await enrol(server.database, { frame, nonce, serverKey: keys.publicKey })
      expect(await unreadable('units', unit._id)).toEqual([])
      const { status } = await server.ask('PATCH', `/api/units/${unit._id}`, { body: { name: 'Renamed' } })
      expect(status).toBe(200)
    }),
    { numRuns },
  )
})

/** Valid items: as the schema describes them, with items that exist wherever they refer to others. */
function itemsOf(collection: Written, schema: z.ZodObject) {
  const fields = z.record(z.string(), z.unknown())
  const described = arbitraryOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  const { required, optional, fixed } = storedCollection(collection).fields
  const references = Object.entries<z.core.$ZodType>({ ...required, ...optional, ...fixed })
    .filter(([name]) => name in schema.shape)
    .flatMap(([name, field]) => (/timezone$/i.test(name) ? [zone(name)] : linkOf(name, field)))
  return fc
    .tuple(described, fc.record(Object.fromEntries(references)), fc.boolean())
    .map(([value, links, isLinked]) => ({
      ...fields.parse(value),
      ...(isLinked ? links : withoutOptional(links, required)),
    }))
    .map((value) => withoutKeys(value, ['password', 'verified', 'parent', 'enforceMfa', 'email']))
    .filter((value) => schema.safeParse(value).success)
}

/** No JSON schema says which names are time zones. */
function zone(name: string): [string, fc.Arbitrary<unknown>] {
  return [name, fc.constantFrom('UTC', 'Europe/Amsterdam', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu')]
}

function linkOf(name: string, field: z.core.$ZodType): [string, fc.Arbitrary<unknown>][] {
  const meta = metaOf(field)
  if (meta?.kind === 'reference') return [[name, fc.constant(made.get(meta.of) ?? null)]]
  if (meta?.kind !== 'links') return []
  const targets = meta.of.flatMap(({ kind, collection }) => {
    const id = made.get(collection)
    if (id === undefined) return []
    return [meta.shape === 'ids' ? id : { kind, id }]
  })
  return [[name, fc.subarray<unknown>(targets)]]
}

function withoutOptional(links: object, required: object) {
  return Object.fromEntries(Object.entries(links).filter(([name]) => name in required || /timezone$/i.test(name)))
}

function withoutKeys(value: object, keys: readonly string[]) {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

function storedCollection(name: string): Collection {
  const found = Object.values(storedPolicy).find(({ collection }) => collection.name === name)
  if (!found) throw new Error(`${name} is not part of the policy`)
  return found.collection
}

async function unreadable(name: Written, id: string) {
  const found: UnreadableItem[] = []
  const entry: { collection: Collection; schema: z.ZodType & { shape: object } } | undefined = Object.values(
    storedPolicy,
  ).find(({ collection }) => collection.name === name)
  if (!entry) return found
  const { collection, schema } = entry
  const table = tableOf(collection)
  const rows = await server.database.asSystem((tx) =>
    readItems(tx, { collection, fields: Object.keys(schema.shape), where: sql`${table.id} = ${id}` }),
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { item } of rows) readStored({ collection, schema, text: item, onUnreadable: (one) => found.push(one) })
  return found
}

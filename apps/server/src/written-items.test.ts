import { patchMe } from '@portcullis/contract/calls/own-account'
import { calls } from '@portcullis/contract/calls/registry'
import type { Collection } from '@portcullis/contract/collection'
import { metaOf } from '@portcullis/contract/fields'
import { enrolText } from '@portcullis/contract/unit-protocol/signed-texts'
import { generateKeys, signText } from '@portcullis/controllers/keys'
import fc from 'fast-check'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { entryOf, undo } from './audit-logs/test-undo.ts'
import { arbitraryOf } from './collections/test-arbitraries.ts'
import { isWritten, makeItem, minimalItem, type Written } from './collections/test-items.ts'
import { tableOf } from './query/columns.ts'
import { readItems } from './query/read-items.ts'
import { startTestServer } from './test-server.ts'
import { enrol, issueEnrolmentCode } from './units/enrol.ts'
import { readStored, storedPolicy, type UnreadableItem } from './policy/stored-policy.ts'
import sql from 'sql-template-tag'

const server = await startTestServer()
afterAll(server.stop)

/** Each is several requests to a real server. */
const numRuns = Math.max(5, Math.round(inject('randomCases') / 80))
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

/** An account that others can be moved to. */
const beside = await makeItem({ ask: server.ask, collection: 'accounts' })
const top = await server.database.asSystem((tx) =>
  tx.first(
    z.object({ id: z.string() }),
    sql`select account_id as id from account where account_ref = ${server.account}`,
  ),
)
made.set('accounts', beside._id)

describe.each(lists)('items that calls write to %s', (collection) => {
  test('can be read by the policy', async () => {
    const { createSchema, patchSchema } = storedCollection(collection)
    const input = fc.tuple(itemsOf(collection, createSchema), itemsOf(collection, patchSchema))
    const written = new Set<string>()
    const judge = async (call: string, { id, answer }: { id: string; answer: Answer }) => {
      expect(answer.status, call).toBeLessThan(500)
      if (answer.status >= 300) return
      written.add(call)
      expect(await unreadable(collection, id), call).toEqual([])
    }
    await fc.assert(
      fc.asyncProperty(input, async ([fields, change]) => {
        const created = await server.ask('POST', `/api/${collection}`, { body: fields })
        expect(created.status).toBeLessThan(500)
        if (created.status !== 201) return
        const { _id: id, ref } = created.item
        await judge('create', { id, answer: created })
        const ask = collection === 'accounts' ? server.in(String(ref)) : server.ask
        const { version: _version, ...body } = change
        const patched = await ask('PATCH', `/api/${collection}/${id}`, { body })
        await judge('patch', { id, answer: patched })
        if (patched.status === 200) await judge('undo of a patch', { id, answer: await undo(ask, entryOf(patched)) })
        for (const [at, [call, run]] of ownCalls(collection, id).entries()) {
          await judge(`${at} ${call}`, { id, answer: await run(ask) })
        }
        const deleted = await ask('DELETE', `/api/${collection}/${id}`)
        expect(deleted.status).toBeLessThan(500)
        if (deleted.status !== 204) return
        await judge('undo of a deletion', { id, answer: await undo(server.ask, entryOf(deleted)) })
      }),
      { numRuns, endOnFailure: true, examples: examplesOf(collection) },
    )
    // Otherwise the property would be tested with no item.
    const own = ownCalls(collection, '').map(([call], at) => `${at} ${call}`)
    const all = ['create', 'patch', 'undo of a patch', ...own, 'undo of a deletion']
    expect(all.filter((call) => !written.has(call))).toEqual([])
  })
})

/** An item and a change that can be undone: of the few random ones, each may be refused. */
function examplesOf(collection: Written): [[Record<string, unknown>, Record<string, unknown>]][] {
  const change = collection === 'credentials' ? { status: 'suspended' } : { name: 'Renamed' }
  return [[[minimalItem(collection, { site: made.get('sites') ?? '' }), change]]]
}

type Answer = Awaited<ReturnType<typeof server.ask>>
type OwnCall = readonly [id: string, run: (ask: typeof server.ask) => Promise<Answer>]

/** The calls that only this collection has and that change what the policy reads, in their order. */
function ownCalls(collection: Written, id: string): OwnCall[] {
  const move = (parent: string): OwnCall => [
    'move-account',
    () => server.ask('POST', `/api/accounts/${id}/move`, { body: { parent } }),
  ]
  const recertify = (decision: string): OwnCall => [
    'recertify-user',
    (ask) => ask('PATCH', `/api/users/recertify/${id}`, { body: { decision } }),
  ]
  const setMode = (body: object): OwnCall => ['door-mode', (ask) => ask('PUT', `/api/doors/${id}/mode`, { body })]
  switch (collection) {
    case 'accounts':
      return [
        move(beside._id),
        move(top?.id ?? ''),
        ['enforce-mfa', (ask) => ask('POST', `/api/accounts/${id}/enforceMFA`, { body: { enforce: true } })],
        ['suspend-account', () => server.ask('POST', `/api/accounts/${id}/suspend`)],
        ['restore-account', () => server.ask('POST', `/api/accounts/${id}/restore`)],
      ]
    case 'users':
      return [recertify('keep'), recertify('suspend'), ['remove-account', leaveAgain]]
    case 'units':
      return [
        ['enrol-unit', (ask) => ask('POST', `/api/units/${id}/enrolment`)],
        ['replace-unit', (ask) => ask('POST', `/api/units/${id}/replace`, { body: { serial: `R-${id}` } })],
        ['revoke-unit', (ask) => ask('POST', `/api/units/${id}/revoke`)],
        ['move-units', (ask) => moveTo(ask, beside._id)],
        ['move-units', () => moveTo(server.in(String(beside['ref'])), top?.id ?? '')],
      ]
    case 'sites':
      return [
        ['move-site', (ask) => moveSite(ask, beside._id)],
        ['move-site', () => moveSite(server.in(String(beside['ref'])), top?.id ?? '')],
      ]
    case 'doors':
      return [
        ['patch', wire],
        setMode({ mode: 'unlocked', until: new Date(Date.now() + 3_600_001).toISOString() }),
        setMode({ mode: 'blocked', until: '9999-12-31T23:59:59.999999999Z' }),
        setMode({ mode: 'lockdown' }),
        setMode({ mode: 'normal' }),
        ['start-lockdown', startLockdown],
        ['end-lockdown', endLockdown],
      ]
    case 'doorGroups':
      return [
        [
          'patch',
          (ask) => ask('PATCH', `/api/doorGroups/${id}`, { body: { antiPassback: { kind: 'hard', minutes: 1 } } }),
        ],
        [
          'door-group-forgive',
          (ask) => ask('POST', `/api/doorGroups/${id}/forgive`, { body: { user: server.userId } }),
        ],
        ['door-group-forgive', (ask) => ask('POST', `/api/doorGroups/${id}/forgive`, { body: { user: null } })],
      ]
    default:
      return []
  }

  async function leaveAgain(ask: typeof server.ask) {
    await ask('PATCH', `/api/users/${id}/addAccounts`, { body: { accountIds: [beside._id] } })
    return ask('PATCH', `/api/users/${id}/removeAccount`, { body: { account: beside._id } })
  }

  function moveTo(ask: typeof server.ask, toAccount: string) {
    return ask('POST', '/api/units/moveUnits', { body: { unitIds: [id], toAccount } })
  }

  function moveSite(ask: typeof server.ask, accountId: string) {
    return ask('POST', '/api/sites/moveSite', { body: { siteId: id, accountId } })
  }

  /** Without its plan, which would keep the door from being deleted. */
  async function startLockdown(ask: typeof server.ask) {
    const places = [{ kind: 'Door', id }]
    const { item: plan } = await ask('POST', '/api/lockdownPlans', { body: { name: 'Everything', places } })
    const started = await ask('POST', `/api/lockdownPlans/${plan._id}/start`)
    await ask('DELETE', `/api/lockdownPlans/${plan._id}`)
    return started
  }

  async function endLockdown(ask: typeof server.ask) {
    const { items } = await ask('GET', '/api/lockdowns?size=1')
    return ask('POST', `/api/lockdowns/${items[0]?._id}/end`)
  }

  /** Only doors with a controller have a mode. */
  async function wire(ask: typeof server.ask) {
    const unit = await makeItem({ ask, collection: 'units' })
    return ask('PATCH', `/api/doors/${id}`, { body: { unit: unit._id, unitDoor: 1 } })
  }
}

/** Recorded calls that write nothing that the policy reads. */
const elsewhere = [
  'set-account-image',
  'remove-account-image',
  'set-floor-plan-image',
  'remove-floor-plan-image',
  'ask-at-door',
  'action-remote-auth',
  'withdraw-request',
  'note-decision',
]

test('every call that records a change is made here, unless the policy does not read what it changes', () => {
  const made = lists.flatMap((collection) => ownCalls(collection, '').map(([call]) => call))
  const recorded = calls.filter(({ isRecorded }) => isRecorded).map(({ id }) => id)
  expect(recorded.filter((id) => ![...made, ...elsewhere, 'undo'].includes(id))).toEqual([])
})

test('the policy can read a user who has changed their own name', async () => {
  const input = arbitraryOf(z.toJSONSchema(patchMe.input, { io: 'input', unrepresentable: 'any' }))
  await fc.assert(
    fc.asyncProperty(input, async (value) => {
      const { name = 'Renamed' } = z.object({ name: z.string().optional() }).parse(value)
      const { status } = await server.ask('PATCH', '/api/users/me', { body: { name } })
      expect(status).toBeLessThan(500)
      expect(await unreadable('users', server.userId)).toEqual([])
    }),
    { numRuns },
  )
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
    .map((value) => withoutKeys(value, ['password', 'verified']))
    .map((value) => (collection === 'credentials' ? withPin(value) : value))
    .filter((value) => schema.safeParse(value).success)
}

/** No JSON schema says that a PIN has digits, and that no other number raises a silent alarm. */
function withPin(value: Record<string, unknown>): Record<string, unknown> {
  if (value['kind'] === 'pin') return { ...value, number: `${(pins += 1)}` }
  return 'duress' in value ? { ...value, duress: false } : value
}

let pins = 10_000_000

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

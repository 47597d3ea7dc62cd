import { sentDelta } from '@portcullis/contract/unit-protocol/unit-config'
import { credentialKey } from '@portcullis/controllers/credential-key'
import { compileUnit } from '@portcullis/domain/configuration/compile-unit'
import { applyDelta, type ConfigDocument, diffConfig } from '@portcullis/domain/configuration/config-delta'
import { policyIndex } from '@portcullis/domain/decision/gather-facts'
import { credential, door, group, rule, samplePolicy, user } from '@portcullis/domain/sample-policy'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { gatewayWorld, ids } from '../gateway/test-world.ts'
import { compileConfig } from './compile-config.ts'
import { latestPieces, storePieces } from './config-pieces.ts'
import { deltaFromLatest } from './delta-from-latest.ts'

const world = await gatewayWorld()
afterAll(() => world.close())
beforeEach(() => world.run(sql`delete from unit_config`))

const at = Date.parse('2026-11-18T12:00:00Z')
const secret = Buffer.alloc(32, 7).toString('base64')
const hashNumber = (number: string) => credentialKey(secret, number)
const everyone = Array.from({ length: 1_500 }, (_, number) => number)

/** A unit with these cardholders, some of whom have another end. */
type Content = { held: readonly number[]; ending?: readonly number[]; doorName?: string; direction?: 'both' | 'entry' }

function compileInput({ held, ending = [], doorName = 'Door', direction = 'both' }: Content) {
  const nameOf = (number: number) => `user-${number}`
  const all = group({ _id: 'all', members: held.map(nameOf) })
  const ends = new Set(ending)
  const policy = samplePolicy({
    users: held.map((number) => user({ _id: nameOf(number) })),
    credentials: held.map((number) => {
      const validUntil = ends.has(number) ? '2027-01-01T00:00:00Z' : null
      return credential({ _id: `card-${number}`, user: nameOf(number), number: `${number}`, validUntil })
    }),
    userGroups: [all],
    doors: [door({ name: doorName })],
    rules: [rule({ direction, who: [{ kind: 'User Group', id: 'all' }] })],
  })
  return { index: policyIndex(policy), unit: 'unit', at, hashNumber, secret, stored: [] }
}

/** Stores one configuration as version 1. */
async function store(content: Content) {
  const { bytes, hash, pieces, texts } = await compileConfig(compileInput(content))
  await world.database.asSystem((tx) => storePieces(tx, { unit: ids.unit, pieces, texts }))
  await world.run(sql`insert into unit_config (unit_config_unit, unit_config_version, unit_config_policy_version,
      unit_config_hash, unit_config_bytes, unit_config_pieces)
    values (${ids.unit}, 1, 1, ${hash}, ${bytes}, ${JSON.stringify(pieces)}::jsonb)`)
}

async function deltaTo(content: Content) {
  const next = await compileConfig(compileInput(content))
  const latest = await latestPieces(world.database, ids.unit)
  if (!latest) throw new Error('The test has stored no configuration.')
  return { next, made: await deltaFromLatest(world.database, { unit: ids.unit, latest, next }) }
}

function deltaIn(bytes: Buffer | undefined) {
  const { hash, ...delta } = sentDelta.parse(JSON.parse(`${bytes?.toString()}`))
  return { hash, delta }
}

const someUsers = fc.uniqueArray(fc.constantFrom(...everyone), { maxLength: 40 })
const anyEdit = fc.record({
  leaving: someUsers,
  joining: fc.uniqueArray(fc.integer({ min: 5_000, max: 9_000 }), { maxLength: 40 }),
  ending: someUsers,
  doorName: fc.constantFrom('Door', 'Lagerhaus Tür 2 “Süd”'),
  direction: fc.constantFrom('both', 'entry'),
})

test('the delta from the stored pieces is the difference of the two whole configurations', async () => {
  await store({ held: everyone })
  const base: ConfigDocument = compileUnit(compileInput({ held: everyone }))
  const edits = fc.asyncProperty(anyEdit, async ({ leaving, joining, ...changes }) => {
    const content = { held: [...everyone.filter((number) => !leaving.includes(number)), ...joining], ...changes }
    const { next, made } = await deltaTo(content)
    const { hash, delta } = deltaIn(made?.delta)
    expect([made?.base, hash]).toEqual([1, next.hash])
    const whole = compileUnit(compileInput(content))
    expect(delta).toEqual(diffConfig(base, whole))
    expect(JSON.stringify(applyDelta(base, delta))).toBe(JSON.stringify(whole))
  })
  await fc.assert(edits, { numRuns: 15 })
})

test('one changed credential takes the same few bytes, however many there are', async () => {
  await store({ held: everyone })
  const { next, made } = await deltaTo({ held: everyone, ending: [700] })
  expect(deltaIn(made?.delta).delta).toMatchObject({ removed: {}, set: { credentials: { [hashNumber('700')]: {} } } })
  expect(next.bytes).toBeGreaterThan(300_000)
  expect(made?.delta.length).toBeLessThan(500)
})

test('no delta is made that has more than half of the bytes of the whole configuration', async () => {
  await store({ held: everyone })
  expect((await deltaTo({ held: everyone.map((number) => number + 5_000) })).made).toBeUndefined()
})

test.each([
  ['whose pieces are no longer stored', sql`delete from unit_config_piece`],
  ['that an earlier release has stored', sql`update unit_config set unit_config_body = '{}'`],
])('there is no delta from a configuration %s', async (_name, change) => {
  await store({ held: everyone })
  await world.run(change)
  expect((await deltaTo({ held: everyone, ending: [1] })).made).toBeUndefined()
})

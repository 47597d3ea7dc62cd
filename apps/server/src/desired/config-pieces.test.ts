import { credentialKey } from '@portcullis/controllers/credential-key'
import { compileUnit } from '@portcullis/domain/configuration/compile-unit'
import { sectionOf } from '@portcullis/domain/configuration/config-delta'
import { configDifference } from '@portcullis/domain/configuration/config-difference'
import { policyIndex } from '@portcullis/domain/decision/gather-facts'
import type { Policy } from '@portcullis/domain/policy'
import { anyPolicy, stage } from '@portcullis/domain/random-policy'
import { credential, group, rule, user } from '@portcullis/domain/sample-policy'
import { withoutInterruption } from '@portcullis/domain/steps'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { gatewayWorld, ids } from '../gateway/test-world.ts'
import { compileConfig, type NextConfig } from './compile-config.ts'
import { changedPieces, documentOf, readPieces, storePieces, textOf } from './config-pieces.ts'

const world = await gatewayWorld()
afterAll(() => world.close())

/** Of a crowd of 500 with cards, some users leave, and some cards have another number or another end. */
const someNumbers = fc.uniqueArray(fc.nat({ max: 499 }), { maxLength: 20 })
const anyCrowd = fc.record({ leaving: someNumbers, renumbered: someNumbers, ending: someNumbers })
const anyStage = fc.tuple(anyPolicy, anyCrowd).map(([policy, crowd]) => withCrowd(policy, crowd))

type Crowd = Record<'leaving' | 'renumbered' | 'ending', readonly number[]>

function withCrowd(policy: Policy, { leaving, renumbered, ending }: Crowd): Policy {
  const crowd = Array.from({ length: 500 }, (_, number) => number).filter((number) => !leaving.includes(number))
  const nameOf = (number: number) => `crowd-${number}`
  const cards = crowd.map((number) =>
    credential({
      _id: `card-of-${nameOf(number)}`,
      user: nameOf(number),
      number: renumbered.includes(number) ? `another ${number}` : `crowd ${number}`,
      validUntil: ending.includes(number) ? '2027-01-01T00:00:00Z' : null,
    }),
  )
  const where = policy.doors.map(({ _id }) => ({ kind: 'Door' as const, id: _id }))
  return {
    ...policy,
    users: [...policy.users, ...crowd.map((number) => user({ _id: nameOf(number) }))],
    credentials: [...policy.credentials, ...cards],
    userGroups: [...policy.userGroups, group({ _id: 'crowd', members: crowd.map(nameOf) })],
    rules: [...policy.rules, rule({ _id: 'crowd', who: [{ kind: 'User Group', id: 'crowd' }], where })],
  }
}

function compileInput(policy: Policy) {
  const secret = Buffer.alloc(32, 7).toString('base64')
  const hashNumber = (number: string) => credentialKey(secret, number)
  return { index: policyIndex(policy), unit: 'unit-1', at: stage.from, hashNumber, secret, stored: [] }
}

function documentOfPieces({ texts }: NextConfig, pieces: NextConfig['pieces']) {
  const read = pieces.map(({ section, digest }) => ({ section, text: textOf(texts, digest) }))
  return withoutInterruption(documentOf(read))
}

function differenceOf(...[applied, desired, options]: Parameters<typeof configDifference>) {
  const { parts, ...holders } = withoutInterruption(configDifference(applied, desired, options))
  const inAnyOrder = (ids: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(ids).map(([change, own]) => [change, own.toSorted()])
  return { parts: [...parts].map(([part, ids]) => [part, inAnyOrder(ids)]), ...holders }
}

test('the difference from the changed pieces of two configurations is that of the whole ones', async () => {
  let left = 0
  const stages = fc.asyncProperty(anyStage, anyStage, async (one, other) => {
    const [before, after] = [await compileConfig(compileInput(one)), await compileConfig(compileInput(other))]
    const outdated = changedPieces(before.pieces, after.pieces)
    const applied = documentOfPieces(before, outdated)
    const desired = documentOfPieces(after, changedPieces(after.pieces, before.pieces))
    const { holders } = documentOfPieces(before, changedPieces(before.pieces, outdated))
    const whole = differenceOf(compileUnit(compileInput(one)), compileUnit(compileInput(other)))
    expect(differenceOf(applied, desired, { commonHolders: sectionOf(holders) })).toEqual(whole)
    left += before.pieces.length - changedPieces(before.pieces, after.pieces).length
  })
  await fc.assert(stages, { numRuns: 60 })
  expect(left).toBeGreaterThan(0)
})

test('pieces are stored once and read in their order, and not after one was deleted', async () => {
  const texts = new Map([
    ['first', '"name":"Lagerhaus Tür 2 “Süd”"'],
    ['second', '"name":"المستودع"'],
  ])
  const pieces = ['second', 'first'].map((digest) => ({ section: 'head' as const, digest, length: 30 }))
  const { unit } = ids
  const others = new Map([...texts.keys()].map((digest) => [digest, '']))
  await world.database.asSystem((tx) => storePieces(tx, { unit, pieces, texts }))
  await world.database.asSystem((tx) => storePieces(tx, { unit, pieces, texts: others }))
  const inOrder = pieces.map(({ section, digest }) => ({ section, text: texts.get(digest) }))
  expect(await readPieces(world.database, { unit, pieces })).toEqual(inOrder)
  await world.run(sql`delete from unit_config_piece where unit_config_piece_digest = 'first'`)
  expect(await readPieces(world.database, { unit, pieces })).toBeUndefined()
})

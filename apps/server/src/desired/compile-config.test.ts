import { createHash } from 'node:crypto'
import { credentialKey } from '@portcullis/controllers/credential-key'
import { applyItems } from '@portcullis/domain/configuration/affected-units'
import { compileUnit } from '@portcullis/domain/configuration/compile-unit'
import { policyIndex } from '@portcullis/domain/decision/gather-facts'
import type { UpdatableIndex } from '@portcullis/domain/decision/policy-index'
import { credential, rule, samplePolicy } from '@portcullis/domain/sample-policy'
import { expect, test } from 'vitest'
import { compileConfig, type StoredPiece } from './compile-config.ts'

const november = Date.parse('2026-11-18T12:00:00Z')
const secret = Buffer.alloc(32, 7).toString('base64')
const enough = { doors: 1, credentials: 1, schedules: 1 }

const hashNumber = (number: string) => credentialKey(secret, number)

function inputOf(index: UpdatableIndex, stored: readonly StoredPiece[] = []) {
  return { index, unit: 'unit', at: november, secret, capacity: enough, stored }
}

function setDirection(index: UpdatableIndex, direction: 'entry' | 'exit') {
  applyItems(index, { list: 'rules', id: 'rule', items: [rule({ direction })] })
}

function addRule(index: UpdatableIndex) {
  applyItems(index, { list: 'rules', id: 'another', items: [rule({ _id: 'another' })] })
}

test.each([
  ['a change of a rule', (index: UpdatableIndex) => setDirection(index, 'exit')],
  ['another rule for the same user', addRule],
])('%s compiles the tail alone, to the same configuration as the whole', async (_name, change) => {
  const index = policyIndex(samplePolicy())
  const whole = await compileConfig(inputOf(index))
  expect([...whole.texts.keys()].toSorted()).toEqual(whole.pieces.map(({ digest }) => digest).toSorted())
  change(index)
  const { texts, ...next } = await compileConfig(inputOf(index, whole.pieces))
  const { texts: all, ...expected } = await compileConfig(inputOf(index))
  expect(next).toEqual(expected)
  expect(next.hash).not.toBe(whole.hash)
  expect(next.hash).toBe(
    createHash('sha256')
      .update(JSON.stringify(compileUnit({ ...inputOf(index), hashNumber })))
      .digest('hex'),
  )
  expect([texts.size, all.size]).toEqual([2, 4])
})

test.each([
  ['another secret', { secret: Buffer.alloc(32, 8).toString('base64') }],
  ['another month', { at: Date.parse('2026-12-01T00:00:00Z') }],
  ['another capacity', { capacity: { ...enough, doors: 2 } }],
  ['too little room', { capacity: { ...enough, credentials: 0 } }],
  ['pieces that are not stored', { stored: [] }],
])('with %s, the whole is compiled', async (_name, changed) => {
  const index = policyIndex(samplePolicy())
  const { pieces: stored } = await compileConfig(inputOf(index))
  const input = { ...inputOf(index, stored), ...changed }
  const { texts, pieces, hash } = await compileConfig(input)
  expect([...texts.keys()].toSorted()).toEqual([...new Set(pieces.map(({ digest }) => digest))].toSorted())
  expect(hash).toBe((await compileConfig({ ...input, stored: [] })).hash)
})

test('a change of a credential compiles the whole', async () => {
  const index = policyIndex(samplePolicy())
  const { texts: before, pieces: stored } = await compileConfig(inputOf(index))
  applyItems(index, {
    list: 'credentials',
    id: 'credential',
    items: [credential({ validUntil: '2027-01-01T00:00:00Z' })],
  })
  const { texts, pieces } = await compileConfig(inputOf(index, stored))
  expect(texts.size).toBe(4)
  expect(pieces.filter(({ digest }) => before.has(digest)).map(({ section }) => section)).toEqual([
    'holders',
    'access',
    'head',
  ])
})

test('while something does not fit, the whole is compiled with each change', async () => {
  const index = policyIndex(samplePolicy())
  const input = { ...inputOf(index), capacity: { ...enough, credentials: 0 } }
  await compileConfig(input)
  setDirection(index, 'exit')
  expect(await compileConfig(input)).toMatchObject({ leftOut: { credentials: 1 } })
})

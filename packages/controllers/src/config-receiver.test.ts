import { createHash } from 'node:crypto'
import { configText } from '@portcullis/contract/unit-protocol/signed-texts'
import { applyDelta, diffConfig } from '@portcullis/domain/configuration/config-delta'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'
import { describe, expect, test } from 'vitest'
import { ConfigReceiver } from './config-receiver.ts'
import { generateKeys, signText } from './keys.ts'

const unit = '01890000-0000-7000-8000-000000000001'
const server = generateKeys()
const content: UnitConfig = {
  unit,
  inService: true,
  from: '2026-01-01',
  until: '2029-01-01',
  sites: {},
  doors: {},
  schedules: {},
  rules: {},
  access: {},
  holders: {},
  credentials: {},
}
const holidayHours = { public: 'closed', company: 'closed', special: 'closed' } as const
const contentBytes = Buffer.from(JSON.stringify(content))
const state = {
  unit,
  serverKeys: [server.publicKey],
  highestVersion: 4,
  applied: { version: 4, policyVersion: 8, hash: hashOf(contentBytes), config: content },
}

type Sent = { version: number; content: unknown; signer: string; forUnit: string; base: number | null; chunks: number }

function received(sent: Partial<Sent>, tamper: (bytes: Buffer) => Buffer = (bytes) => bytes, by = state) {
  const all = { version: 5, content, signer: server.privateKey, forUnit: unit, base: null, chunks: 1, ...sent }
  const bytes = Buffer.from(JSON.stringify(all.content))
  const hash = hashOf(bytes)
  const { version, base, chunks } = all
  const signature = signText(all.signer, configText({ unit: all.forUnit, version, base, hash }))
  const receiver = new ConfigReceiver()
  receiver.begin({ type: 'config', version, base, policyVersion: 9, hash, signature, chunks })
  const sentBytes = tamper(bytes)
  const size = Math.ceil(sentBytes.length / chunks)
  const outcomes = Array.from({ length: chunks }, (_, index) =>
    receiver.add(
      {
        type: 'configChunk',
        version,
        index,
        data: sentBytes.subarray(index * size, (index + 1) * size).toString('base64'),
      },
      by,
    ),
  )
  return outcomes
}

test('a signed configuration is accepted when its last chunk is there', async () => {
  const outcomes = received({ chunks: 3 })
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['more', 'more', 'accepted'])
  expect(outcomes.at(-1)).toMatchObject({ applied: { version: 5, policyVersion: 9, config: content } })
})

test.each<[string, Partial<Sent>, string]>([
  ['the signature of another key', { signer: generateKeys().privateKey }, 'bad_signature'],
  ['a signature for another unit', { forUnit: '01890000-0000-7000-8000-000000000002' }, 'bad_signature'],
  [
    'the applied version again, with other content',
    { version: 4, content: { ...content, inService: false } },
    'old_version: 4 is not above 4',
  ],
  ['a lower version', { version: 3 }, 'old_version: 3 is not above 4'],
  ['another unit’s content', { content: { ...content, unit: '01890000-0000-7000-8000-000000000002' } }, 'other_unit'],
  ['content of another shape', { content: { ...content, doors: 7 } }, 'unreadable: doors'],
])('%s is rejected with a reason', async (_, sent, reason) => {
  expect(received(sent)).toEqual([{ outcome: 'rejected', version: sent.version ?? 5, reason }])
})

test('changed bytes are rejected although the signature is right', async () => {
  const [outcome] = received({}, (bytes) => Buffer.concat([bytes, Buffer.from(' ')]))
  expect(outcome).toEqual({ outcome: 'rejected', version: 5, reason: 'bad_hash' })
})

describe('a delta', () => {
  const next: UnitConfig = { ...content, inService: false, schedules: { night: { windows: [], holidayHours } } }
  const hash = hashOf(Buffer.from(JSON.stringify(next)))
  const delta = { hash, ...diffConfig(content, next) }

  test('of the applied configuration makes the next one, with the hash of the whole', async () => {
    const [outcome] = received({ base: 4, content: delta })
    expect(outcome).toMatchObject({ outcome: 'accepted', applied: { version: 5, hash, config: next } })
  })

  test.each<[string, Partial<Sent>, string]>([
    ['from an earlier configuration', { base: 3 }, 'base_unknown'],
    ['with a result of another hash', { content: { ...delta, hash: hashOf(contentBytes) } }, 'result_differs'],
    ['of another shape', { content: next }, 'unreadable: delta'],
  ])('%s is rejected with a reason', async (_, sent, reason) => {
    expect(received({ base: 4, content: delta, ...sent })).toEqual([{ outcome: 'rejected', version: 5, reason }])
  })

  test.each([
    ['another unit', { ...next, unit: '01890000-0000-7000-8000-000000000002' }, 'other_unit'],
    ['a door of another shape', { ...next, doors: { 1: 7 } }, 'unreadable: doors.1'],
    ['a holder of another shape', { ...next, holders: { a: 7 } }, 'unreadable: holders.a'],
    ['access of another shape', { ...next, access: { a: {} } }, 'unreadable: access.a.doors'],
    ['a credential of another shape', { ...next, credentials: { a: {} } }, 'unreadable: credentials.a._id'],
  ])('that makes a configuration with %s is rejected', (_name, result, reason) => {
    const bytes = Buffer.from(JSON.stringify(result))
    const sent = { base: 4, content: { hash: hashOf(bytes), ...diffConfig(content, result) } }
    expect(received(sent)).toEqual([{ outcome: 'rejected', version: 5, reason }])
  })

  test.each([
    ['a field that is no longer listed', { fields: delta.fields.filter((field) => field !== 'holders') }, 'holders'],
    ['a section that became a value', { values: { credentials: 7 } }, 'credentials'],
    ['a section with entries of another shape as a value', { values: { holders: { a: 7 } } }, 'holders.a'],
  ])('with %s is rejected as the whole would be', (_name, changes, path) => {
    const changed = { ...diffConfig(content, next), ...changes }
    const sent = { hash: hashOf(Buffer.from(JSON.stringify(applyDelta(content, changed)))), ...changed }
    expect(received({ base: 4, content: sent })).toMatchObject([{ reason: `unreadable: ${path}` }])
  })

  test('keeps fields that the unit does not know', async () => {
    const [before, after] = [
      { ...content, later: { a: 1 } },
      { ...next, later: { a: 2 } },
    ]
    const text = JSON.stringify(after)
    const known = { ...state, applied: { ...state.applied, config: before } }
    const sent = { base: 4, content: { hash: hashOf(Buffer.from(text)), ...diffConfig(before, after) } }
    const [outcome] = received(sent, undefined, known)
    expect(outcome?.outcome === 'accepted' && JSON.stringify(outcome.applied.config)).toBe(text)
  })
})

test('a missing chunk rejects the configuration, and the next one starts again', async () => {
  const receiver = new ConfigReceiver()
  const begin = {
    type: 'config',
    version: 5,
    base: null,
    policyVersion: 1,
    hash: '',
    signature: '',
    chunks: 2,
  } as const
  receiver.begin(begin)
  const chunk = { type: 'configChunk', version: 5, index: 1, data: 'AAAA' } as const
  expect(receiver.add(chunk, state)).toMatchObject({ outcome: 'rejected', reason: 'chunk_missing: chunk 0' })
  expect(receiver.add(chunk, state)).toEqual({ outcome: 'more' })
})

function hashOf(bytes: Buffer) {
  return createHash('sha256').update(bytes).digest('hex')
}

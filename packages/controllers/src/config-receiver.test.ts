import { createHash } from 'node:crypto'
import { configText } from '@portcullis/contract/unit-protocol/signed-texts'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'
import { expect, test } from 'vitest'
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
  holders: {},
  credentials: {},
}
const state = { unit, serverKeys: [server.publicKey], highestVersion: 4, applied: undefined }

type Sent = { version: number; content: unknown; signer: string; forUnit: string; base: number | null; chunks: number }

function received(sent: Partial<Sent>, tamper: (bytes: Buffer) => Buffer = (bytes) => bytes) {
  const all = { version: 5, content, signer: server.privateKey, forUnit: unit, base: null, chunks: 1, ...sent }
  const bytes = Buffer.from(JSON.stringify(all.content))
  const hash = createHash('sha256').update(bytes).digest('hex')
  const { version, base, chunks } = all
  const signature = signText(all.signer, configText({ unit: all.forUnit, version, base, hash }))
  const receiver = new ConfigReceiver()
  receiver.begin({ type: 'config', version, base, policyVersion: 9, hash, signature, chunks })
  const sentBytes = tamper(bytes)
  const size = Math.ceil(sentBytes.length / chunks)
  return Array.from({ length: chunks }, (_, index) =>
    receiver.add(
      {
        type: 'configChunk',
        version,
        index,
        data: sentBytes.subarray(index * size, (index + 1) * size).toString('base64'),
      },
      state,
    ),
  )
}

test('a signed configuration is accepted when its last chunk is there', () => {
  const outcomes = received({ chunks: 3 })
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['more', 'more', 'accepted'])
  expect(outcomes.at(-1)).toMatchObject({ applied: { version: 5, policyVersion: 9, config: content } })
})

test.each<[string, Partial<Sent>, string]>([
  ['the signature of another key', { signer: generateKeys().privateKey }, 'the signature is not the server’s'],
  [
    'a signature for another unit',
    { forUnit: '01890000-0000-7000-8000-000000000002' },
    'the signature is not the server’s',
  ],
  ['the applied version again, with other content', { version: 4 }, 'version 4 is not above 4'],
  ['a lower version', { version: 3 }, 'version 3 is not above 4'],
  ['a delta', { base: 4 }, 'this unit takes snapshots only'],
  [
    'another unit’s content',
    { content: { ...content, unit: '01890000-0000-7000-8000-000000000002' } },
    'it is for another unit',
  ],
  ['content of another shape', { content: { ...content, doors: 7 } }, 'invalid configuration content: doors'],
])('%s is rejected with a reason', (_, sent, reason) => {
  expect(received(sent)).toEqual([{ outcome: 'rejected', version: sent.version ?? 5, reason }])
})

test('changed bytes are rejected although the signature is right', () => {
  const [outcome] = received({}, (bytes) => Buffer.concat([bytes, Buffer.from(' ')]))
  expect(outcome).toEqual({ outcome: 'rejected', version: 5, reason: 'the bytes do not have the signed hash' })
})

test('a missing chunk rejects the configuration, and the next one starts again', () => {
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
  expect(receiver.add(chunk, state)).toMatchObject({ outcome: 'rejected', reason: 'chunk 0 is missing' })
  expect(receiver.add(chunk, state)).toEqual({ outcome: 'more' })
})

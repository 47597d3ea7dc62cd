import { createHash } from 'node:crypto'
import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { configText } from '@portcullis/contract/unit-protocol/signed-texts'
import { sentDelta, unitConfig } from '@portcullis/contract/unit-protocol/unit-config'
import { applyDelta } from '@portcullis/domain/configuration/config-delta'
import { z } from 'zod'
import { signerOf } from './keys.ts'
import type { AppliedConfig } from './unit-store.ts'

export type ConfigFrame = Extract<ServerFrame, { type: 'config' }>
export type ChunkFrame = Extract<ServerFrame, { type: 'configChunk' }>

export type Received =
  | { outcome: 'more' }
  | { outcome: 'inForce' }
  | { outcome: 'rejected'; version: number; reason: string }
  | { outcome: 'accepted'; applied: AppliedConfig; bytes: Uint8Array }

/** `serverKeys` are the keys of the server that the unit trusts. */
type AddInput = {
  unit: string
  serverKeys: readonly string[]
  highestVersion: number
  applied: AppliedConfig | undefined
  /** Reads the bytes of the applied configuration, as they were stored. */
  readApplied: () => Promise<Buffer>
}

/** Assembles the chunks of a configuration and checks it. No part of it is applied before the whole is valid. */
export class ConfigReceiver {
  #staged: { config: ConfigFrame; chunks: Uint8Array[] } | undefined

  begin(config: ConfigFrame) {
    this.#staged = { config, chunks: [] }
  }

  async add(chunk: ChunkFrame, state: AddInput): Promise<Received> {
    const staged = this.#staged
    // A chunk of a configuration that a newer one has overtaken.
    if (!staged || staged.config.version !== chunk.version) return { outcome: 'more' }
    const { config, chunks } = staged
    if (chunk.index !== chunks.length) {
      this.#staged = undefined
      return { outcome: 'rejected', version: config.version, reason: `chunk ${chunks.length} is missing` }
    }
    chunks.push(Buffer.from(chunk.data, 'base64'))
    if (chunks.length < config.chunks) return { outcome: 'more' }
    this.#staged = undefined
    return judge(config, Buffer.concat(chunks), state)
  }
}

async function judge(config: ConfigFrame, bytes: Buffer, state: AddInput): Promise<Received> {
  const { version, base, hash, signature } = config
  const { unit, serverKeys, highestVersion, applied } = state
  const rejected = (reason: string) => ({ outcome: 'rejected', version, reason }) as const
  const text = configText({ unit, version, base, hash })
  if (!signerOf({ publicKeys: serverKeys, text, signature })) return rejected('the signature is not the server’s')
  if (hashOf(bytes) !== hash) return rejected('the bytes do not have the signed hash')
  if (applied?.version === version && applied.hash === hash) return { outcome: 'inForce' }
  if (version <= highestVersion) return rejected(`version ${version} is not above ${highestVersion}`)
  if (base === null) return read(config, { bytes, hash, unit })
  if (base !== applied?.version) return rejected('base_unknown')
  const result = resultOf(await state.readApplied().catch(() => Buffer.of()), bytes)
  return 'reason' in result ? rejected(result.reason) : read(config, { ...result, unit })
}

type Whole = { bytes: Buffer; hash: string; unit: string }

/** The content of a whole configuration, of which `hash` is the hash. */
function read({ version, policyVersion }: ConfigFrame, { bytes, hash, unit }: Whole): Received {
  const rejected = (reason: string) => ({ outcome: 'rejected', version, reason }) as const
  const parsed = unitConfig.safeParse(jsonFrom(bytes))
  if (!parsed.success) return rejected(`invalid configuration content: ${parsed.error.issues[0]?.path.join('.') ?? ''}`)
  if (parsed.data.unit !== unit) return rejected('it is for another unit')
  return { outcome: 'accepted', applied: { version, policyVersion, hash, config: parsed.data }, bytes }
}

const document = z.record(z.string(), z.unknown())

/** The configuration that a delta makes of the stored one, also of fields that this unit does not know. */
function resultOf(stored: Buffer, bytes: Buffer): { bytes: Buffer; hash: string } | { reason: string } {
  const base = document.safeParse(jsonFrom(stored))
  if (!base.success) return { reason: 'base_unknown' }
  const delta = sentDelta.safeParse(jsonFrom(bytes))
  if (!delta.success) return { reason: 'invalid delta' }
  const { hash } = delta.data
  const result = Buffer.from(JSON.stringify(applyDelta(base.data, delta.data)))
  return hashOf(result) === hash ? { bytes: result, hash } : { reason: 'result_differs' }
}

function hashOf(bytes: Buffer) {
  return createHash('sha256').update(bytes).digest('hex')
}

function jsonFrom(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

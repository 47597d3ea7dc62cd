import { createHash } from 'node:crypto'
import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { configText } from '@portcullis/contract/unit-protocol/signed-texts'
import { unitConfig } from '@portcullis/contract/unit-protocol/unit-config'
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
}

/** Assembles the chunks of a configuration and checks it. No part of it is applied before the whole is valid. */
export class ConfigReceiver {
  #staged: { config: ConfigFrame; chunks: Uint8Array[] } | undefined

  begin(config: ConfigFrame) {
    this.#staged = { config, chunks: [] }
  }

  add(chunk: ChunkFrame, state: AddInput): Received {
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

function judge(config: ConfigFrame, bytes: Buffer, { unit, serverKeys, highestVersion, applied }: AddInput): Received {
  const { version, base, hash, signature, policyVersion } = config
  const rejected = (reason: string) => ({ outcome: 'rejected', version, reason }) as const
  const text = configText({ unit, version, base, hash })
  if (!signerOf({ publicKeys: serverKeys, text, signature })) return rejected('the signature is not the server’s')
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    return rejected('the bytes do not have the signed hash')
  if (applied?.version === version && applied.hash === hash) return { outcome: 'inForce' }
  if (version <= highestVersion) return rejected(`version ${version} is not above ${highestVersion}`)
  if (base !== null) return rejected('this unit takes snapshots only')
  const parsed = unitConfig.safeParse(jsonFrom(bytes))
  if (!parsed.success) return rejected(`invalid configuration content: ${parsed.error.issues[0]?.path.join('.') ?? ''}`)
  if (parsed.data.unit !== unit) return rejected('it is for another unit')
  return { outcome: 'accepted', applied: { version, policyVersion, hash, config: parsed.data }, bytes }
}

function jsonFrom(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

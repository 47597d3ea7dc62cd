import { createHash } from 'node:crypto'
import type { ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { configText } from '@portcullis/contract/unit-protocol/signed-texts'
import { type SentDelta, sentDelta } from '@portcullis/contract/unit-protocol/unit-config'
import { applyDelta } from '@portcullis/domain/configuration/config-delta'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'
import { checkedConfig } from './checked-config.ts'
import { forgetLeadingFields, hashLeadingFields, hashOfConfig } from './config-hash.ts'
import { signerOf } from './keys.ts'
import type { AppliedConfig } from './unit-store.ts'

export type ConfigFrame = Extract<ServerFrame, { type: 'config' }>
export type ChunkFrame = Extract<ServerFrame, { type: 'configChunk' }>

export type Received =
  | { outcome: 'more' }
  | { outcome: 'inForce' }
  | { outcome: 'rejected'; version: number; reason: string }
  | { outcome: 'accepted'; applied: AppliedConfig; bytes: Uint8Array; delta: SentDelta | undefined }

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
      return { outcome: 'rejected', version: config.version, reason: `chunk_missing: chunk ${chunks.length}` }
    }
    chunks.push(Buffer.from(chunk.data, 'base64'))
    if (chunks.length < config.chunks) return { outcome: 'more' }
    this.#staged = undefined
    return judge(config, Buffer.concat(chunks), state)
  }
}

function judge(config: ConfigFrame, bytes: Buffer, state: AddInput): Received {
  const { version, base, hash, signature } = config
  const { unit, serverKeys, highestVersion, applied } = state
  const rejected = (reason: string) => ({ outcome: 'rejected', version, reason }) as const
  const text = configText({ unit, version, base, hash })
  if (!signerOf({ publicKeys: serverKeys, text, signature })) return rejected('bad_signature')
  if (hashOf(bytes) !== hash) return rejected('bad_hash')
  if (applied?.version === version && applied.hash === hash) return { outcome: 'inForce' }
  if (version <= highestVersion) return rejected(`old_version: ${version} is not above ${highestVersion}`)
  if (base === null) return accepted(config, { bytes, hash, unit, content: jsonFrom(bytes) })
  if (base !== applied?.version) return rejected('base_unknown')
  const delta = sentDelta.safeParse(jsonFrom(bytes))
  if (!delta.success) return rejected('unreadable: delta')
  const result = resultOf(applied.config, delta.data)
  return result ? accepted(config, { ...result, bytes, unit, delta: delta.data }) : rejected('result_differs')
}

/** `hash` is that of the text of `content`, and `changed` the part of it to check. */
type Whole = { hash: string; content: unknown; changed?: unknown }

function accepted(
  { version, policyVersion }: ConfigFrame,
  { bytes, hash, content, changed, unit, delta }: Whole & { unit: string; bytes: Uint8Array; delta?: SentDelta },
): Received {
  const rejected = (reason: string) => ({ outcome: 'rejected', version, reason }) as const
  const config = checkedConfig(content, changed)
  if ('invalid' in config) return rejected(`unreadable: ${config.invalid}`)
  if (config.unit !== unit) return rejected('other_unit')
  if (!delta) hashLeadingFields(config, bytes)
  return { outcome: 'accepted', applied: { version, policyVersion, hash, config }, bytes, delta }
}

/** The configuration that a delta makes of the applied one, also of fields that this unit does not know. */
function resultOf(applied: UnitConfig, delta: SentDelta): Whole | undefined {
  const content = applyDelta(applied, delta)
  const { hash, set, values } = delta
  if (hashOfConfig(content) !== hash) {
    forgetLeadingFields(content)
    if (hashOfConfig(content) !== hash) return undefined
  }
  const isKept = (section: string) => Object.hasOwn(content, section) && !Object.hasOwn(values, section)
  const long = ['holders', 'credentials', 'access'].filter(isKept).map((section) => [section, set[section] ?? {}])
  return { hash, content, changed: { ...content, ...Object.fromEntries(long) } }
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

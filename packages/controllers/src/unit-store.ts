import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type SentDelta, sentDelta } from '@portcullis/contract/unit-protocol/unit-config'
import { applyDelta, combineDeltas } from '@portcullis/domain/configuration/config-delta'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'
import { z } from 'zod'
import { checkedConfig } from './checked-config.ts'
import { type StoredModes, storedModes } from './door-modes.ts'
import { generateKeys } from './keys.ts'
import { type Disk, writeDurably } from './write-durably.ts'

const identity = z.object({
  serial: z.string(),
  model: z.string().optional(),
  publicKey: z.string(),
  privateKey: z.string(),
  /** The server's answer to the enrolment. */
  enrolled: z
    .object({
      unit: z.uuid(),
      name: z.string(),
      serverKey: z.string(),
      /** The key that has announced `serverKey`, until `serverKey` has proved itself. */
      earlierServerKey: z.string().optional(),
      secret: z.string(),
    })
    .nullable(),
})
export type Identity = z.output<typeof identity>
type Enrolled = NonNullable<Identity['enrolled']>

/** The keys whose signatures the unit accepts: one, or two after a rotation of the server's key. */
export function trustedKeys({ serverKey, earlierServerKey }: Pick<Enrolled, 'serverKey' | 'earlierServerKey'>) {
  return earlierServerKey === undefined ? [serverKey] : [serverKey, earlierServerKey]
}

const document = z.record(z.string(), z.unknown())
const configMeta = z.object({ version: z.int(), policyVersion: z.int(), hash: z.string() })
export type AppliedConfig = z.output<typeof configMeta> & { config: UnitConfig }

/** What later deltas together change in the stored snapshot, if its version is `base`. */
const storedDelta = z.object({ base: z.int(), meta: configMeta, delta: sentDelta })
/** A larger one is stored as a snapshot. */
const mostDeltaBytes = 256 * 1024

const highest = z.object({ version: z.int() })

/** A configuration on the disk. */
type StoredConfig = {
  readonly applied: AppliedConfig
  readonly snapshot: { readonly base: number; readonly delta: SentDelta | undefined }
}

type StoreOptions = Disk & { dir: string }

/** The files of a unit, in addition to its log: its identity, and the last documents from the server. */
export class UnitStore {
  readonly #dir: string
  readonly #beforeWrite: () => void
  identity: Identity
  /** The applied configuration. */
  applied: AppliedConfig | undefined
  /** On the disk: the version of the snapshot, and what has changed since. */
  #snapshot: StoredConfig['snapshot'] | undefined
  /** It never decreases, even if the configuration itself was lost. */
  highestVersion: number
  /** The desired modes of the doors by which the unit decides. */
  doorModes: StoredModes
  /** Without a lockdown that the disk has refused. */
  doorModesOnDisk: StoredModes

  private constructor(
    { dir, beforeWrite }: Required<StoreOptions>,
    stored: {
      identity: Identity
      config: StoredConfig | undefined
      highestVersion: number
      doorModes: StoredModes
    },
  ) {
    this.#dir = dir
    this.#beforeWrite = beforeWrite
    this.identity = stored.identity
    this.applied = stored.config?.applied
    this.#snapshot = stored.config?.snapshot
    this.highestVersion = stored.highestVersion
    this.doorModes = stored.doorModes
    this.doorModesOnDisk = stored.doorModes
  }

  /** Opens a unit's folder. A new unit stores its key there before it sends it. */
  static async open({ dir, beforeWrite = () => {}, serial, model }: StoreOptions & { serial: string; model?: string }) {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const stored = await readIfThere(join(dir, names.identity))
    const config = configFrom(await readIfThere(join(dir, names.config)), await readIfThere(join(dir, names.delta)))
    const version = await readIfThere(join(dir, names.highest))
    const modes = await readIfThere(join(dir, names.modes))
    const store = new UnitStore(
      { dir, beforeWrite },
      {
        identity: stored
          ? read(identity, { path: join(dir, names.identity), text: stored })
          : { serial, model, ...generateKeys(), enrolled: null },
        config,
        highestVersion: Math.max(
          version ? read(highest, { path: join(dir, names.highest), text: version }).version : 0,
          config?.applied.version ?? 0,
        ),
        doorModes: modes ? read(storedModes, { path: join(dir, names.modes), text: modes }) : {},
      },
    )
    if (!stored) await store.keepIdentity()
    return store
  }

  /** Whether the unit in a folder is enrolled, also while it is switched off. */
  static async isEnrolled(dir: string) {
    const path = join(dir, names.identity)
    const text = await readIfThere(path)
    return text !== undefined && read(identity, { path, text }).enrolled !== null
  }

  /** Trusts these keys of the server at once; `keepIdentity` writes them to the disk. */
  trust(keys: Pick<Enrolled, 'serverKey' | 'earlierServerKey'>) {
    const { enrolled } = this.identity
    if (enrolled) this.identity = { ...this.identity, enrolled: { ...enrolled, ...keys } }
  }

  keepIdentity() {
    return this.#write(names.identity, JSON.stringify(this.identity))
  }

  async saveEnrolment(enrolled: Enrolled) {
    this.identity = { ...this.identity, enrolled }
    await this.keepIdentity()
  }

  /** Applies a configuration: on the disk first, then for the next decision. */
  async apply({ config, bytes, delta, ...meta }: AppliedConfig & { bytes: Uint8Array; delta: SentDelta | undefined }) {
    await this.#write(names.highest, JSON.stringify({ version: meta.version }))
    this.highestVersion = meta.version
    if (!delta || !(await this.#keepDelta(delta, meta))) {
      const whole = delta ? Buffer.from(JSON.stringify(config)) : bytes
      await this.#write(names.config, Buffer.concat([Buffer.from(`${JSON.stringify(meta)}\n`), whole]))
      await rm(join(this.#dir, names.delta), { force: true })
      this.#snapshot = { base: meta.version, delta: undefined }
    }
    this.applied = { ...meta, config }
  }

  /** With the earlier ones since the snapshot. False if they have become too large. */
  async #keepDelta(delta: SentDelta, meta: z.output<typeof configMeta>) {
    if (!this.#snapshot) return false
    const { base, delta: earlier } = this.#snapshot
    const all: SentDelta = { ...(earlier ? combineDeltas(earlier, delta) : delta), hash: delta.hash }
    const text = JSON.stringify({ base, meta, delta: all } satisfies z.output<typeof storedDelta>)
    if (text.length > mostDeltaBytes) return false
    await this.#write(names.delta, text)
    this.#snapshot = { base, delta: all }
    return true
  }

  /** Stores the desired modes of the doors. */
  async keepDoorModes(modes: StoredModes) {
    await this.#write(names.modes, JSON.stringify(modes))
    this.doorModesOnDisk = modes
  }

  async #write(name: string, bytes: string | Uint8Array) {
    this.#beforeWrite()
    await writeDurably(join(this.#dir, name), bytes)
  }
}

const names = {
  identity: 'identity.json',
  config: 'configuration.json',
  delta: 'configuration-delta.json',
  highest: 'highest-version.json',
  modes: 'door-modes.json',
} as const

/** A configuration that cannot be read is treated as none: the unit decides nothing from it and requests it again. */
function configFrom(text: string | undefined, deltaText: string | undefined): StoredConfig | undefined {
  if (text === undefined) return undefined
  const feed = text.indexOf('\n')
  try {
    const meta = configMeta.parse(JSON.parse(text.slice(0, feed)))
    const stored = deltaText === undefined ? undefined : storedDelta.parse(JSON.parse(deltaText))
    // A delta of another snapshot was stored before this one.
    const later = stored?.base === meta.version ? stored : undefined
    const content = document.parse(JSON.parse(text.slice(feed + 1)))
    const config = checkedConfig(later ? applyDelta(content, later.delta) : content)
    if ('invalid' in config) return undefined
    return { applied: { ...(later?.meta ?? meta), config }, snapshot: { base: meta.version, delta: later?.delta } }
  } catch {
    return undefined
  }
}

/** Without its key or its highest version, a unit cannot be itself: a damaged file is an error, not an absent one. */
function read<S extends z.ZodType>(schema: S, { path, text }: { path: string; text: string }): z.output<S> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Error(
      `The file ${path} is damaged. Restore it, or remove its folder and enrol the controller again with a new code.`,
      { cause },
    )
  }
}

async function readIfThere(path: string) {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import { unitConfig } from '@portcullis/contract/unit-protocol/unit-config'
import { credentialKey } from '@portcullis/controllers/credential-key'
import { decideOnUnit } from '@portcullis/domain/configuration/decide-on-unit'
import type { UnitConfig } from '@portcullis/domain/configuration/unit-config'
import { observedBy } from '@portcullis/domain/decision/resolve-decision'
import type { Finding } from '@portcullis/domain/decision/finding'
import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { isTurnRefused, Turns } from '../limits/turns.ts'
import { reducedConfig } from './reduced-config.ts'
import { TokenBuckets } from '../limits/token-buckets.ts'

export type AccessRecord = Extract<UnitRecord, { type: 'access' }>
/** The findings of the configuration by which the unit decided; undefined if they are not available. */
export type ExplainEarlier = (record: AccessRecord, at: number) => readonly Finding[] | undefined

type EarlierConfigsOptions = { database: Database; log: Pick<FastifyBaseLogger, 'warn'> }
type ExplainerInput = { unit: string; records: readonly AccessRecord[] }
/** `keys`: the credentials for which it was read, including those that it does not have. */
type Reduced = { config: UnitConfig; keys: ReadonlySet<string>; bytes: number }
type Reading = { unit: string; version: number; keys: ReadonlySet<string> }

/** An honest frame names one or two: a controller that is offline applies no other. */
const maxVersionsPerFrame = 4
/** Enough for all frames of a full log; reading a large configuration takes the database some tenths of a second. */
const readingsOfUnit = { burst: 60, perSecond: 0.5 }
/** How many readings wait while another runs. */
const maxQueued = 8
const maxBytesOfVersion = 1_000_000
const maxBytes = 16_000_000

const secretRow = z.object({ secret: z.instanceof(Buffer) })
const textRow = z.object({ body: z.string() })

/**
 * Reads the earlier configurations of units, one at a time, and remembers the parts that were needed. Beyond the limits
 * it reads nothing, and the current policy has to explain the records.
 */
export class EarlierConfigs {
  readonly #database: Database
  readonly #log: EarlierConfigsOptions['log']
  readonly #turns = new Turns({ most: 1, waiting: maxQueued })
  readonly #budgets = new TokenBuckets(readingsOfUnit)
  /** In the order of their last use. */
  readonly #remembered = new Map<string, Reduced>()
  #bytes = 0

  constructor({ database, log }: EarlierConfigsOptions) {
    this.#database = database
    this.#log = log
  }

  /** Reads each configuration that these records name at most once. Must run outside transactions that hold locks. */
  async explainer({ unit, records }: ExplainerInput): Promise<ExplainEarlier> {
    const row = await this.#database.first(
      secretRow,
      prepared(sql`select unit_secret_secret as secret from unit_secret where unit_secret_unit = ${unit}`),
    )
    if (!row) return () => undefined
    const secret = row.secret.toString('base64')
    const keys = new Map(records.filter(isRead).map(({ number }) => [number, credentialKey(secret, number)]))
    const configs = new Map<number | null, Reduced | undefined>()
    for (const [version, named] of Map.groupBy(records, ({ configVersion }) => configVersion)) {
      if (version === null || configs.size === maxVersionsPerFrame) continue
      const needed = new Set(named.flatMap(({ number }) => keys.get(number) ?? []))
      configs.set(version, await this.#reduced({ unit, version, keys: needed }))
    }
    return ({ configVersion, number, door: unitDoor, direction, verdict, reason }, at) => {
      const reduced = configs.get(configVersion)
      const key = keys.get(number)
      if (!reduced || key === undefined || !reduced.keys.has(key)) return undefined
      const observed = observedBy({ unitVerdict: verdict, unitReason: reason })
      // A configuration has no exceptions of lockdowns: a user who was granted access has met all of them.
      const mayPass = verdict === 'grant' ? [] : undefined
      return decideOnUnit(reduced.config, { ...observed, mayPass, unitDoor, credentialKey: key, direction, at })
        .findings
    }
  }

  /** The configuration with these credentials, or with those that earlier frames needed if it may not be read again. */
  async #reduced({ unit, version, keys }: Reading): Promise<Reduced | undefined> {
    const id = `${unit} ${version}`
    const remembered = this.#remembered.get(id)
    if (remembered && keys.isSubsetOf(remembered.keys)) return this.#remember(id, remembered)
    const extended = remembered && remembered.bytes < maxBytesOfVersion ? remembered : undefined
    const missing = extended ? keys.difference(extended.keys) : keys
    const mayRead = this.#budgets.of(unit).trySpend(1)
    const read = mayRead ? await this.#read({ unit, version, keys: missing }) : undefined
    return read ? this.#remember(id, extended ? merged(extended, read) : read) : remembered
  }

  async #read({ unit, version, keys }: Reading): Promise<Reduced | undefined> {
    try {
      const query = reducedConfig({ unit, version, keys: [...keys] })
      const row = await this.#turns.take('all units', () => this.#database.first(textRow, query))
      return row && { config: unitConfig.parse(JSON.parse(row.body)), keys, bytes: row.body.length }
    } catch (error) {
      if (isTurnRefused(error)) return undefined
      // The events are worth more than their exact reasons.
      this.#log.warn({ err: error, unit, version }, 'reading an earlier configuration failed; using the current policy')
      return undefined
    }
  }

  #remember(id: string, reduced: Reduced) {
    this.#forget(id)
    this.#remembered.set(id, reduced)
    this.#bytes += reduced.bytes
    for (const oldest of this.#remembered.keys()) {
      if (this.#bytes <= maxBytes) break
      this.#forget(oldest)
    }
    return reduced
  }

  #forget(id: string) {
    this.#bytes -= this.#remembered.get(id)?.bytes ?? 0
    this.#remembered.delete(id)
  }
}

/** A PIN without a card has no number to find it by. */
function isRead({ kind }: AccessRecord) {
  return kind !== 'pin'
}

/** Two parts of one configuration. */
function merged(one: Reduced, other: Reduced): Reduced {
  const config: UnitConfig = {
    ...one.config,
    schedules: { ...one.config.schedules, ...other.config.schedules },
    rules: { ...one.config.rules, ...other.config.rules },
    access: { ...one.config.access, ...other.config.access },
    holders: { ...one.config.holders, ...other.config.holders },
    credentials: { ...one.config.credentials, ...other.config.credentials },
  }
  return { config, keys: one.keys.union(other.keys), bytes: one.bytes + other.bytes }
}

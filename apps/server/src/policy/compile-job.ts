import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { createHash } from 'node:crypto'
import { credentialKey } from '@portcullis/controllers/credential-key'
import { compileUnit } from '@portcullis/domain/configuration/compile-unit'
import { configSize } from '@portcullis/domain/configuration/config-size'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { CurrentPolicy, Policies } from './policies.ts'
import { recordChanges } from '../changes/record-change.ts'

type Parts = { database: Database; feed: ChangeFeed; policies: Policies; now: () => number; log: FastifyBaseLogger }

/** Recompiles the units of every account tree whose policy changes; `onCompiled` hears which have a new version. */
export function startCompileJob(parts: Parts, onCompiled: (units: string[]) => void) {
  const { database, feed, log } = parts
  const pending = new Set<number>()
  let running: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  feed.listen(async (changes) => {
    const accounts = new Set(changes.filter(({ isPolicy }) => isPolicy).map(({ account }) => account))
    if (accounts.size === 0) return
    for (const root of await rootsOf(database, [...accounts])) pending.add(root)
    void run()
  })

  return {
    stop() {
      isStopped = true
      clearTimeout(retry)
    },
    /** Compiles every tree: at the start, and once a month has passed. */
    async everything() {
      for (const root of await rootsOf(database, 'all')) pending.add(root)
      await run()
    },
    async compile(account: number) {
      for (const root of await rootsOf(database, [account])) pending.add(root)
      await run()
    },
  }

  /** One at a time; with nothing to do there is nothing to wait for. */
  function run() {
    if (pending.size > 0) running ??= drain()
    return running
  }

  async function drain() {
    try {
      for (let root = first(pending); root !== undefined; root = first(pending)) {
        pending.delete(root)
        const changed = await compileUnits(parts, root).catch((error: unknown) => {
          pending.add(root)
          throw error
        })
        if (changed.length > 0) {
          feed.hint()
          onCompiled(changed)
        }
      }
    } catch (error) {
      if (isStopped) return
      log.warn({ err: error }, 'units could not be compiled; trying again')
      retry = setTimeout(() => void run(), retryMs)
    } finally {
      running = undefined
    }
  }
}

const retryMs = 1_000

export type CompileJob = ReturnType<typeof startCompileJob>

async function rootsOf(database: Database, accounts: number[] | 'all') {
  const rows = await database.asSystem((tx) =>
    tx.rows(
      z.object({ root: z.int() }),
      accounts === 'all'
        ? sql`select policy_root as root from policy`
        : sql`select distinct account_root as root from account where account_key = any(${accounts}::int[])`,
    ),
  )
  return rows.map(({ root }) => root)
}

function first(set: Set<number>) {
  for (const value of set) return value
  return undefined
}

type CompileOptions = { database: Database; policies: Policies; now: () => number }

const unitRow = z.object({
  id: z.uuid(),
  account: z.int(),
  secret: z.instanceof(Buffer),
  version: z.int().nullable(),
  hash: z.string().nullable(),
  isMeasured: z.boolean(),
})

/**
 * Compiles the configuration of every enrolled unit of an account tree, and stores those that changed as the next desired
 * version. Returns the ids of these units.
 */
function compileUnits({ database, policies, now }: CompileOptions, root: number) {
  return database.asSystem(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(7361906, ${root})`)
    const units = await tx.rows(
      unitRow,
      sql`select unit_id as id, unit_account as account, unit_secret_secret as secret, unit_config_version as version,
             unit_config_hash as hash, unit_state_config_size is not null as "isMeasured"
            from unit join unit_state on unit_state_id = unit_id join account on account_key = unit_account
            join unit_secret on unit_secret_unit = unit_id
            left join lateral (select unit_config_version, unit_config_hash from unit_config
                                where unit_config_unit = unit_id order by unit_config_version desc limit 1) latest on true
           where account_root = ${root}
           order by unit_id`,
    )
    if (units.length === 0) return []
    const policy = await policies.inTransaction(tx, root)
    const changed: string[] = []
    for (const unit of units) if (await compileOne(tx, { unit, policy, at: now() })) changed.push(unit.id)
    return changed
  })
}

type One = { unit: z.output<typeof unitRow>; policy: CurrentPolicy; at: number }

async function compileOne(tx: Transaction, { unit, policy, at }: One) {
  const { id, account, secret, version, hash, isMeasured } = unit
  const key = secret.toString('base64')
  const hashNumber = (number: string) => credentialKey(key, number)
  const config = compileUnit({ index: policy.index, unit: id, at, hashNumber })
  const body = Buffer.from(JSON.stringify(config))
  const newHash = createHash('sha256').update(body).digest('hex')
  if (newHash !== hash || !isMeasured) {
    const size = JSON.stringify(configSize(config))
    await tx.run(sql`update unit_state set unit_state_config_size = ${size}::jsonb where unit_state_id = ${id}`)
  }
  if (newHash === hash) return false
  const next = (version ?? 0) + 1
  await tx.run(sql`insert into unit_config (unit_config_unit, unit_config_version, unit_config_policy_version,
      unit_config_hash, unit_config_body) values (${id}, ${next}, ${policy.version}, ${newHash}, ${body})`)
  await tx.run(sql`update unit_state set unit_state_desired_version = ${next} where unit_state_id = ${id}`)
  await recordChanges(tx, [{ account, collection: 'units', item: id, action: 'save', isPolicy: false }])
  return true
}

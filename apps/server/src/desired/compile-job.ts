import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { createHash } from 'node:crypto'
import { credentialKey } from '@portcullis/controllers/credential-key'
import { compileUnit } from '@portcullis/domain/configuration/compile-unit'
import { configSize } from '@portcullis/domain/configuration/config-size'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { CurrentPolicy, Policies } from '../policy/policies.ts'
import { recordUnitChanges } from '../ingest/unit-events.ts'
import { clearFault, markFault } from '../ingest/unit-fault.ts'

type CompileJobOptions = {
  database: Database
  feed: ChangeFeed
  policies: Policies
  now: () => number
  log: FastifyBaseLogger
}

/** Recompiles the units of every account tree whose policy changes. */
export function startCompileJob(options: CompileJobOptions) {
  const { database, feed, log } = options
  const pending = new Set<number>()
  const retries = new Map<number, NodeJS.Timeout>()
  let running: Promise<void> | undefined
  let isStopped = false

  feed.listen(async (changes) => {
    const accounts = new Set(changes.filter(({ isPolicy }) => isPolicy).map(({ account }) => account))
    if (accounts.size > 0) void compile(await rootsOf(database, [...accounts]))
  })

  return {
    stop() {
      for (const timer of retries.values()) clearTimeout(timer)
      isStopped = true
    },
    /** Compiles every tree: at startup, and when a new month begins. */
    everything: async () => compile(await rootsOf(database, 'all')),
    compile: async (account: number) => compile(await rootsOf(database, [account])),
  }

  /** Waits until these trees, and those that were pending, are compiled. */
  function compile(roots: readonly number[]) {
    for (const root of roots) pending.add(root)
    if (pending.size > 0) running ??= drain()
    return running
  }

  async function drain() {
    for (let root = first(pending); root !== undefined; root = first(pending)) {
      pending.delete(root)
      await compileTree(root)
    }
    running = undefined
  }

  /** A tree or a unit that fails is tried again later, and does not hold up the others. */
  async function compileTree(root: number) {
    try {
      const { changed, failed } = await compileUnits(options, root)
      if (changed + failed > 0) feed.hint()
      if (failed > 0) retryLater(root, failedUnitMs)
    } catch (error) {
      if (isStopped) return
      log.warn({ err: error, root }, 'compiling the units of an account tree failed; will retry')
      await database.asSystem((tx) => markTree(tx, root)).catch(() => {})
      retryLater(root, failedTreeMs)
    }
  }

  function retryLater(root: number, delayMs: number) {
    if (isStopped) return
    clearTimeout(retries.get(root))
    retries.set(
      root,
      setTimeout(() => {
        retries.delete(root)
        void compile([root])
      }, delayMs),
    )
  }
}

const failedTreeMs = 1_000
const failedUnitMs = 60_000

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

type CompileOptions = { database: Database; policies: Policies; now: () => number; log: FastifyBaseLogger }

const unitRow = z.object({
  id: z.uuid(),
  account: z.int(),
  secret: z.instanceof(Buffer),
  hash: z.string().nullable(),
  isMeasured: z.boolean(),
  fault: z.string().nullable(),
})
type UnitRow = z.output<typeof unitRow>

/**
 * Compiles the configuration of every enrolled unit of an account tree, and stores those that changed as the next
 * desired version, each in its own transaction. A unit that cannot be compiled keeps its configuration and is marked;
 * the others go on. Returns how many units changed, and how many failed.
 */
function compileUnits({ database, policies, now, log }: CompileOptions, root: number) {
  // This transaction only reads: it holds no rows while the units are stored. The lock keeps other servers out.
  return database.asSystem(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(7361906, ${root})`)
    const units = await tx.rows(unitRow, unitsOfTree(root))
    const compiled = { changed: 0, failed: 0 }
    if (units.length === 0) {
      await database.asSystem((own) =>
        own.run(sql`update policy set policy_compiled_version = policy_version where policy_root = ${root}`),
      )
      return compiled
    }
    const policy = await policies.inTransaction(tx, root)
    for (const item of policy.unreadable) log.error({ ...item, root }, 'a stored item cannot be read; save it again')
    for (const unit of units) {
      try {
        if (await compileOne(database, { unit, policy, at: now() })) compiled.changed++
      } catch (error) {
        log.error({ err: error, unit: unit.id }, 'compiling the configuration of a unit failed')
        await database.asSystem((own) => markFault(own, { unit: unit.id, fault: 'not_compiled' }))
        compiled.failed++
      }
    }
    await database.asSystem((own) =>
      own.run(sql`update policy set policy_compiled_version = ${policy.version}
                   where policy_root = ${root} and policy_compiled_version < ${policy.version}`),
    )
    return compiled
  })
}

function unitsOfTree(root: number) {
  return sql`select unit_id as id, unit_account as account, unit_secret_secret as secret, unit_config_hash as hash, unit_state_config_size is not null as "isMeasured", unit_state_fault as fault
            from unit join unit_state on unit_state_id = unit_id join account on account_key = unit_account
            join unit_secret on unit_secret_unit = unit_id
            left join lateral (select unit_config_hash from unit_config
                                where unit_config_unit = unit_id order by unit_config_version desc limit 1) latest on true
           where account_root = ${root}
           order by unit_id`
}

async function markTree(tx: Transaction, root: number) {
  const units = await tx.rows(
    z.object({ id: z.uuid() }),
    sql`select unit_state_id as id from unit_state join account on account_key = unit_state_account
          join unit_secret on unit_secret_unit = unit_state_id
         where account_root = ${root} and unit_state_fault is null order by unit_state_id`,
  )
  for (const { id } of units) await markFault(tx, { unit: id, fault: 'not_compiled' })
}

type CompileOneInput = { unit: UnitRow; policy: CurrentPolicy; at: number }

/** Returns whether the unit has a new version. */
async function compileOne(database: Database, { unit, policy, at }: CompileOneInput) {
  const { id, account, secret, hash, isMeasured, fault } = unit
  const key = secret.toString('base64')
  const hashNumber = (number: string) => credentialKey(key, number)
  const config = compileUnit({ index: policy.index, unit: id, at, hashNumber })
  const body = Buffer.from(JSON.stringify(config))
  const newHash = createHash('sha256').update(body).digest('hex')
  const isNew = newHash !== hash
  if (!isNew && isMeasured && fault !== 'not_compiled') return false
  await database.asSystem(async (tx) => {
    const size = JSON.stringify(configSize(config))
    await tx.run(sql`update unit_state set unit_state_config_size = ${size}::jsonb where unit_state_id = ${id}`)
    if (fault !== null) await clearFault(tx, { unit: id, account, fault: 'not_compiled' })
    if (!isNew) return
    // The unit's connection may have stored a higher version since it was read.
    await tx.run(sql`with stored as (
        insert into unit_config (unit_config_unit, unit_config_version, unit_config_policy_version, unit_config_hash,
          unit_config_body)
        select ${id}, coalesce(max(unit_config_version), 0) + 1, ${policy.version}, ${newHash}, ${body}
          from unit_config where unit_config_unit = ${id}
        returning unit_config_version)
      update unit_state set unit_state_desired_version = unit_config_version from stored where unit_state_id = ${id}`)
    await recordUnitChanges(tx, [{ unit: id, account }])
  })
  return isNew
}

import type { FastifyBaseLogger } from 'fastify'
import type { AffectedUnits } from '@portcullis/domain/configuration/affected-units'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import { storeUnitEvents } from '../ingest/unit-events.ts'
import type { Policies } from '../policy/policies.ts'
import { unionOf } from '../policy/tree-policy.ts'
import { compileUnits } from './compile-units.ts'

export type CompileJobOptions = {
  database: Database
  feed: ChangeFeed
  policies: Policies
  now: () => number
  log: FastifyBaseLogger
}

const failedTree = { firstMs: 1_000, maxMs: 30_000 } as const
/** Until another server has probably compiled the tree. */
const busyMs = 250
const failedUnitMs = 60_000
/** Trees compiled at the same time: a large one does not hold up the others, and each holds a connection. */
const maxAtOnce = 2
const maxMarkedAtOnce = 1_000

/** Compiles the units that a change of a policy affects. */
export function startCompileJob(options: CompileJobOptions) {
  const { database, policies, log } = options
  const due = new Map<number, AffectedUnits>()
  /** Trees that were compiled whole since the start: another version may have compiled them before. */
  const compiledTrees = new Set<number>()
  const running = new Map<number, Promise<void>>()
  /** How many times in succession a tree has failed. */
  const failures = new Map<number, number>()
  const retries = new Map<number, { timer: NodeJS.Timeout; units: AffectedUnits; at: number }>()
  let isStopped = false

  policies.onChange(({ root, units }) => void compile([root], units))
  policies.onUnreadable((item) => log.error(item, 'a stored item cannot be read; save it again'))

  return {
    stop() {
      for (const { timer } of retries.values()) clearTimeout(timer)
      isStopped = true
    },
    /** Compiles every tree: at startup, and when a new month begins. */
    everything: async () => compile(await rootsOf(database, 'all'), 'all'),
    /** Compiles one unit, of the account with this key. */
    compile: async ({ account, unit }: { account: number; unit: string }) =>
      compile(await rootsOf(database, account), new Set([unit])),
  }

  /** Waits until these trees, and those that were due, are compiled. */
  async function compile(roots: readonly number[], units: AffectedUnits) {
    for (const root of roots) due.set(root, unionOf([units, due.get(root) ?? new Set()]))
    beginNext()
    while (roots.some((root) => due.has(root) || running.has(root))) await Promise.race(running.values())
  }

  function beginNext() {
    for (const root of due.keys()) {
      if (running.size >= maxAtOnce) return
      if (running.has(root)) continue
      running.set(
        root,
        compileTree(root).finally(() => {
          running.delete(root)
          beginNext()
        }),
      )
    }
  }

  function takeDue(root: number): AffectedUnits {
    const units = compiledTrees.has(root) ? (due.get(root) ?? new Set<string>()) : 'all'
    due.delete(root)
    return units
  }

  /** A tree or a unit that fails is tried again later, and does not hold up the others. */
  async function compileTree(root: number) {
    let units: AffectedUnits = takeDue(root)
    try {
      const take = () => {
        units = unionOf([units, takeDue(root)])
        return units
      }
      const failed = await compileUnits(options, { root, take })
      if (failed === 'busy') return retryLater({ root, units, delayMs: busyMs })
      compiledTrees.add(root)
      failures.delete(root)
      if (failed.length > 0) retryLater({ root, units: new Set(failed), delayMs: failedUnitMs })
    } catch (error) {
      if (isStopped) return
      log.warn({ err: error, root }, 'compiling the units of an account tree failed; will retry')
      await markTree(options, root).catch(() => {})
      const count = (failures.get(root) ?? 0) + 1
      failures.set(root, count)
      retryLater({ root, units, delayMs: treeRetryMs(count) })
    }
  }

  /** Adds to a retry that waits already; the earlier time applies. */
  function retryLater({ root, delayMs, ...failed }: { root: number; units: AffectedUnits; delayMs: number }) {
    if (isStopped) return
    const waiting = retries.get(root)
    clearTimeout(waiting?.timer)
    const units = unionOf([failed.units, waiting?.units ?? new Set()])
    const at = Math.min(performance.now() + delayMs, waiting?.at ?? Infinity)
    const timer = setTimeout(() => {
      retries.delete(root)
      void compile([root], units)
    }, at - performance.now())
    retries.set(root, { timer, units, at })
  }
}

export type CompileJob = ReturnType<typeof startCompileJob>

/** Later after each failure in succession; a change of the policy compiles the tree at once. */
export function treeRetryMs(failures: number) {
  return Math.min(failedTree.firstMs * 2 ** (failures - 1), failedTree.maxMs)
}

async function rootsOf(database: Database, account: number | 'all') {
  const rows = await database.asSystem((tx) =>
    tx.rows(
      z.object({ root: z.int() }),
      account === 'all'
        ? sql`select policy_root as root from policy`
        : sql`select account_root as root from account where account_key = ${account}`,
    ),
  )
  return rows.map(({ root }) => root)
}

const unitRow = z.object({ unit: z.uuid() })

/**
 * Marks the units of a tree, some in each transaction, so that the outbox is not held up. Rows that are locked are marked
 * when compiling fails the next time: waiting for them could be a deadlock with a gateway.
 */
async function markTree({ database, feed }: Pick<CompileJobOptions, 'database' | 'feed'>, root: number) {
  for (;;) {
    const count = await database.asSystem(async (tx) => {
      const marked = await tx.rows(
        unitRow,
        sql`update unit_state set unit_state_fault = 'not_compiled' where unit_state_id in (
              select unit_state_id from unit_state join account on account_key = unit_state_account
                join unit_secret on unit_secret_unit = unit_state_id
               where account_root = ${root} and coalesce(unit_state_fault, 'behind_policy') = 'behind_policy'
               limit ${maxMarkedAtOnce} for no key update of unit_state skip locked)
            returning unit_state_id as unit`,
      )
      const units = marked.map(({ unit }) => unit)
      await storeUnitEvents(tx, { units, type: 'unit.sync_failed', data: { note: { code: 'not_compiled' } } })
      return units.length
    })
    if (count > 0) feed.hint()
    if (count < maxMarkedAtOnce) return
  }
}

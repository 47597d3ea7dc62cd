import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import { compileUnits } from './compile-units.ts'
import type { Policies } from './policies.ts'

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

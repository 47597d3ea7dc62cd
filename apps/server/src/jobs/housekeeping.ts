import type { FastifyBaseLogger } from 'fastify'
import { pruneEpochs } from '../abilities/access-proof.ts'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import { addMonthlyPartitions } from '../database/months.ts'
import { pruneMails } from '../mail/prune-mails.ts'
import { pruneCommands } from '../commands/prune-commands.ts'
import type { CompileJob } from '../desired/compile-job.ts'
import { pruneConfigs } from '../desired/prune-configs.ts'
import { pruneDevices } from '../sessions/known-device.ts'
import { repeat } from '../repeat.ts'
import { endOverdueAssumptions } from '../assumptions/end-assumptions.ts'
import { pruneSessions } from '../sessions/session-store.ts'
import { pruneAttempts } from '../sign-in/sign-in-attempts.ts'

const everyMs = 3_600_000
const pruneMs = 60_000
const months = { behind: -2, ahead: 3 } as const

type HousekeepingOptions = {
  database: Database
  databaseUrl: string
  feed: ChangeFeed
  compileJob: CompileJob
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn'>
}

/** Adds the partitions of the months around now. */
export function addPartitionsAround(databaseUrl: string, now: Date) {
  return addMonthlyPartitions({
    databaseUrl,
    from: monthsFrom(now, months.behind),
    until: monthsFrom(now, months.ahead),
  })
}

/**
 * The periodic work of an installation: adds partitions for the coming months; prunes the outbox, epochs of rights,
 * mails, sign-in attempts, configurations and commands of units; and recompiles configurations every month, because they reach three years ahead.
 */
export function startHousekeeping({ database, databaseUrl, feed, compileJob, now, log }: HousekeepingOptions) {
  const ended = new AbortController()
  const tidy = hourlyTasks({ database, databaseUrl, compileJob, now, log, signal: ended.signal })
  const work = [
    repeat({ everyMs, log, failure: 'housekeeping failed; will retry in an hour' }, tidy),
    // Every minute: in the busiest hour the outbox grows by two million rows.
    repeat({ everyMs: pruneMs, log, failure: 'pruning the change outbox failed; will retry in a minute' }, () =>
      feed.prune(),
    ),
    // Ends overdue assumptions, which the audit log reports.
    repeat({ everyMs: pruneMs, log, failure: 'ending overdue assumptions failed; will retry in a minute' }, () =>
      database.asSystem((tx) => endOverdueAssumptions(tx)),
    ),
  ]
  return {
    /** Does not wait: the work can be done again at any time, and may take long. */
    stop() {
      ended.abort()
      for (const each of work) void each.stop()
    },
  }
}

type HourlyTasksOptions = Omit<HousekeepingOptions, 'feed' | 'compileJob'> & {
  compileJob: Pick<CompileJob, 'everything'>
  signal: AbortSignal
}

/** Returns the work of an hour: its tasks run in order, and one that fails stops no other. */
export function hourlyTasks({ database, databaseUrl, compileJob, now, log, signal }: HourlyTasksOptions) {
  let month = now().getUTCMonth()
  const tasks = {
    'adding partitions': () => addPartitionsAround(databaseUrl, now()),
    'pruning epochs of rights': () => pruneEpochs(database),
    'pruning sessions': () => pruneSessions(database),
    'pruning sign-in attempts': () => pruneAttempts(database),
    'pruning remembered devices': () => pruneDevices(database),
    'pruning emails': () => pruneMails(database),
    'pruning configurations': () => pruneConfigs(database, { signal }),
    'pruning commands': () => pruneCommands(database, { signal }),
    'the monthly compilation': compileMonthly,
  }
  return async () => {
    for (const [name, run] of Object.entries(tasks)) {
      if (signal.aborted) return
      try {
        await run()
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, `${name} failed; will retry in an hour`)
      }
    }
  }

  async function compileMonthly() {
    const current = now().getUTCMonth()
    if (current === month) return
    await compileJob.everything()
    month = current
  }
}

function monthsFrom(now: Date, count: number) {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1))
}

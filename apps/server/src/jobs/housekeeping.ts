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
  log: FastifyBaseLogger
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
  let month = now().getUTCMonth()
  const ended = new AbortController()
  const { signal } = ended
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

  async function tidy() {
    await addPartitionsAround(databaseUrl, now())
    await pruneEpochs(database)
    await pruneSessions(database)
    await pruneAttempts(database)
    await pruneDevices(database)
    await pruneMails(database)
    await pruneConfigs(database, { signal })
    await pruneCommands(database, { signal })
    if (now().getUTCMonth() === month) return
    month = now().getUTCMonth()
    await compileJob.everything()
  }
}

function monthsFrom(now: Date, count: number) {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1))
}

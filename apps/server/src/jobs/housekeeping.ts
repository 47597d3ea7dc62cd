import type { FastifyBaseLogger } from 'fastify'
import { pruneEpochs } from '../abilities/access-proof.ts'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import { addMonths } from '../database/months.ts'
import { pruneMails } from '../mail/prune-mails.ts'
import type { CompileJob } from '../policy/compile-job.ts'
import { pruneDevices } from '../sessions/known-device.ts'
import { endOverdueAssumptions } from '../assumptions/end-assumptions.ts'
import { pruneSessions } from '../sessions/session-store.ts'
import { pruneTries } from '../sign-in/sign-in-tries.ts'

const everyMs = 3_600_000
const pruneMs = 60_000
const months = { behind: -2, ahead: 3 } as const

type Parts = {
  database: Database
  databaseUrl: string
  feed: ChangeFeed
  compileJob: CompileJob
  now: () => Date
  log: FastifyBaseLogger
}

/** Adds the partitions of the months around now. */
export function addMonthsAround(databaseUrl: string, now: Date) {
  return addMonths({ databaseUrl, from: monthsFrom(now, months.behind), until: monthsFrom(now, months.ahead) })
}

/**
 * What an installation needs done however long it runs: partitions for the months to come; an outbox, epochs of rights, mails
 * and tries to sign in that do not grow; and configurations that reach three years ahead of the month that it is.
 */
export function startHousekeeping({ database, databaseUrl, feed, compileJob, now, log }: Parts) {
  let month = now().getUTCMonth()
  const timers = [
    setInterval(() => {
      tidy().catch((error: unknown) => log.warn({ err: error }, 'housekeeping failed; trying again in an hour'))
    }, everyMs),
    // Little and often: in the busiest hour it grows by two million rows.
    setInterval(() => {
      feed.prune().catch((error: unknown) => log.warn({ err: error }, 'the outbox could not be pruned'))
    }, pruneMs),
    // What has ended unasked is told in the audit log.
    setInterval(() => {
      database
        .asSystem((tx) => endOverdueAssumptions(tx))
        .catch((error: unknown) => log.warn({ err: error }, 'the ends of acting inside accounts could not be told'))
    }, pruneMs),
  ]
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }

  async function tidy() {
    await addMonthsAround(databaseUrl, now())
    await pruneEpochs(database)
    await pruneSessions(database)
    await pruneTries(database)
    await pruneDevices(database)
    await pruneMails(database)
    if (now().getUTCMonth() === month) return
    month = now().getUTCMonth()
    await compileJob.everything()
  }
}

function monthsFrom(now: Date, count: number) {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1))
}

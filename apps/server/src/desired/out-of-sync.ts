import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database, Transaction } from '../database/database.ts'
import { recordUnitChanges, storeUnitEvents } from '../ingest/unit-events.ts'
import { repeat } from '../repeat.ts'

type OutOfSyncOptions = { database: Database; feed: ChangeFeed; log: FastifyBaseLogger }

const everyMs = 1_000
/** Each change of the policy brings units out of sync, usually for less than a second. Only what lasts is an event. */
const eventAfterSeconds = 60
const maxUnitsAtOnce = 1_000

/**
 * Marks the units that do not decide by the current configuration, and stores an event when this has lasted for a minute,
 * and another at its end. Every server does so.
 */
export function startMarkingOutOfSync({ database, feed, log }: OutOfSyncOptions) {
  return repeat({ everyMs, log, failure: 'marking controllers out of sync failed; will retry' }, async () => {
    if ((await database.asSystem(markOutOfSync)) > 0) feed.hint()
  })
}

const isOutOfSync = sql`(unit_state_fault is not null or (unit_state_desired_version is not null
  and unit_state_desired_version is distinct from unit_state_applied_version))`
const isMarked = sql`(unit_state_out_of_sync_since is not null)`

/** Exactly the condition of the index that finds these rows. */
const isDue = sql`(${isOutOfSync} <> ${isMarked}
  or (unit_state_out_of_sync_since is not null and not unit_state_out_of_sync_reported))`

const dueRow = z.object({
  unit: z.uuid(),
  account: z.int(),
  isOutOfSync: z.boolean(),
  isMarked: z.boolean(),
  isReported: z.boolean(),
})

/** Returns how many units have changed. Rows that are locked come the next time, as in policy-lag.ts. */
async function markOutOfSync(tx: Transaction) {
  const due = await tx.rows(
    dueRow,
    sql`select unit_state_id as unit, unit_state_account as account, ${isOutOfSync} as "isOutOfSync",
           ${isMarked} as "isMarked", unit_state_out_of_sync_reported as "isReported"
          from unit_state
         where ${isDue} and (${isOutOfSync} <> ${isMarked}
             or unit_state_out_of_sync_since < now() - make_interval(secs => ${eventAfterSeconds}))
         limit ${maxUnitsAtOnce} for no key update skip locked`,
  )
  if (due.length === 0) return 0
  const idsOf = (rows: typeof due) => rows.map(({ unit }) => unit)
  const begun = due.filter((row) => row.isOutOfSync && !row.isMarked)
  const lasting = idsOf(due.filter((row) => row.isOutOfSync && row.isMarked))
  const ended = due.filter((row) => !row.isOutOfSync)
  await tx.run(sql`update unit_state set
      unit_state_out_of_sync_since = case when ${isOutOfSync} then coalesce(unit_state_out_of_sync_since, now()) end,
      unit_state_out_of_sync_reported = unit_state_id = any(${lasting}::uuid[])
    where unit_state_id = any(${idsOf(due)}::uuid[])`)
  await storeUnitEvents(tx, { units: lasting, type: 'unit.out_of_sync' })
  const reported = ended.filter((row) => row.isReported)
  await storeUnitEvents(tx, { units: idsOf(reported), type: 'unit.in_sync' })
  await recordUnitChanges(tx, [...begun, ...ended.filter((row) => !row.isReported)])
  return due.length
}

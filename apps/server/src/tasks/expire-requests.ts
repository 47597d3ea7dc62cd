import type { FastifyBaseLogger } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database, Transaction } from '../database/database.ts'
import { repeat } from '../repeat.ts'
import { endedColumns, notifyUnits } from './end-request.ts'
import { recordRemoteEvents } from './record-remote-events.ts'

const everyMs = 500
const atOnce = 200

type ExpiryOptions = { database: Database; feed: ChangeFeed; log: FastifyBaseLogger }

/** Expires requests that were not decided in time. Every server checks, and one of them expires each request. */
export function startExpiring({ database, feed, log }: ExpiryOptions) {
  return repeat({ everyMs, log, failure: 'expiring requests failed; will retry' }, async () => {
    let ended: number
    do {
      ended = await database.asSystem(expireRequests)
      if (ended > 0) feed.hint()
    } while (ended === atOnce)
  })
}

export const endedRow = z.object({
  id: z.uuid(),
  account: z.int(),
  unit: z.uuid().nullable(),
  unitRequest: z.uuid().nullable(),
})

/** Skips requests that are being decided at this moment: the decision itself checks whether it is too late. */
async function expireRequests(tx: Transaction) {
  const ended = await tx.rows(
    endedRow,
    sql`update task set task_status = 'Expired'
         where task_id in (select task_id from task where task_status = 'Requested' and task_expires_at <= clock_timestamp()
                            order by task_expires_at limit ${atOnce} for update skip locked)
        returning ${endedColumns}`,
  )
  if (ended.length > 0) {
    await recordRemoteEvents(tx, { tasks: ended, type: 'access.remote_expired', furtherChanges: notifyUnits(ended) })
  }
  return ended.length
}

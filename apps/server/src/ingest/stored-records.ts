import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

const recordRow = z.object({
  unit: z.uuid(),
  log: z.uuid(),
  seq: z.number(),
  event: z.uuid(),
  occurredAt: z.iso.datetime(),
  mark: z.number(),
})

/** All stored records of all units' logs, with the acknowledged sequence of each log. */
export function storedRecords(database: Database) {
  return database.asSystem((tx) =>
    tx.rows(
      recordRow,
      sql`select event_unit as unit, event_log as log, event_seq as seq, event_id as event,
             event_occurred_at as "occurredAt", unit_mark_seq as mark
            from event join unit_mark on unit_mark_unit = event_unit and unit_mark_log = event_log
           where event_seq is not null order by event_unit, event_log, event_seq`,
    ),
  )
}

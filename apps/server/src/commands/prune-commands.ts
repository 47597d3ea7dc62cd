import sql from 'sql-template-tag'
import type { Database } from '../database/database.ts'
import { inBatches } from '../database/in-batches.ts'

const days = 30
/** An event of a unit that was away this long no longer names who unlocked the door. */
const daysAway = 365
const most = 500

/**
 * Deletes commands that ended long ago, in small batches. One that was sent stays while its unit is away or has events
 * waiting: one of these may name the command, and confirm it.
 */
export function pruneCommands(database: Database, { signal }: { signal: AbortSignal }) {
  return inBatches({ most, signal }, () => database.asSystem((tx) => tx.run(oldCommands)))
}

/** The statement for one batch. */
export const oldCommands = sql`delete from unit_command where unit_command_id = any(array(
  select unit_command_id from unit_command left join unit_state on unit_state_id = unit_command_unit
   where unit_command_ended_at < now() - make_interval(days => ${days})
     and (unit_command_sent_at is null or unit_state_id is null
       or (unit_state_status = 'online' and coalesce(unit_state_pending_events, 0) = 0)
       or unit_command_ended_at < now() - make_interval(days => ${daysAway}))
   limit ${most}))`

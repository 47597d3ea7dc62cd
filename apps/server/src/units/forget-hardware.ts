import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'

/**
 * Other hardware takes the place of a unit: the reports of the earlier one no longer apply. Conditions end when the new one
 * reports. Its configuration is compiled after its hello, with its own secret.
 */
export function forgetHardware(tx: Transaction, unit: string) {
  return tx.run(sql`update unit_state set unit_state_firmware = null, unit_state_address = null, unit_state_capacity = null,
      unit_state_desired_version = null,
      unit_state_clock_offset_ms = null, unit_state_pending_events = null, unit_state_event_delay_ms = null,
      unit_state_backfilled_up_to = null, unit_state_last_heartbeat_at = null, unit_state_rejection = null,
      unit_state_clock_wrong_seen_at = null, unit_state_capacity_exceeded_seen_at = null
    where unit_state_id = ${unit}`)
}

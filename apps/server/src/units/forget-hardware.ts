import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { storeUnitEvents } from '../ingest/unit-events.ts'

const conditionsRow = z.object({
  tampered: z.boolean(),
  onBattery: z.boolean(),
  clockWrong: z.boolean(),
  full: z.boolean(),
})

/**
 * Other hardware takes the place of a unit: what the earlier one has reported no longer applies, and its conditions end.
 * The configuration of the new one is compiled after its hello, with its own secret.
 */
export async function forgetHardware(tx: Transaction, unit: string) {
  const ended = await tx.first(
    conditionsRow,
    sql`select unit_state_tampered_since is not null as tampered, unit_state_on_battery_since is not null as "onBattery",
           unit_state_clock_wrong_since is not null as "clockWrong", unit_state_capacity_exceeded_since is not null as full
          from unit_state where unit_state_id = ${unit} for update`,
  )
  await tx.run(sql`update unit_state set unit_state_firmware = null, unit_state_address = null, unit_state_capacity = null,
      unit_state_desired_version = null,
      unit_state_clock_offset_ms = null, unit_state_pending_events = null, unit_state_event_delay_ms = null,
      unit_state_backfilled_up_to = null, unit_state_last_heartbeat_at = null, unit_state_rejection = null,
      unit_state_clock_wrong_seen_at = null, unit_state_capacity_exceeded_seen_at = null,
      unit_state_tampered_since = null, unit_state_on_battery_since = null, unit_state_clock_wrong_since = null,
      unit_state_capacity_exceeded_since = null, unit_state_left_out = null, unit_state_compiled_capacity = null
    where unit_state_id = ${unit}`)
  const events = [
    ['unit.tamper_ended', ended?.tampered],
    ['unit.on_mains', ended?.onBattery],
    ['unit.clock_right', ended?.clockWrong],
    ['unit.capacity_restored', ended?.full],
  ] as const
  for (const [type, hasEnded] of events) if (hasEnded) await storeUnitEvents(tx, { units: [unit], type })
}

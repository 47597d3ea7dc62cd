import type { EventType } from '@portcullis/contract/event-types'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import type { EventRow } from './event-row.ts'

const states: Partial<Record<EventType, string>> = {
  'door.opened': 'open',
  'door.closed': 'closed',
  'door.forced': 'forced',
  'door.held': 'held',
}

/** Updates each door to its newest state; events older than the stored state change nothing. */
export async function updateDoorStates(tx: Transaction, events: readonly EventRow[]) {
  const newest = new Map<string, { door: string; state: string; at: string }>()
  for (const { type, door, occurredAt: at } of events) {
    const state = states[type]
    if (state === undefined || door === null) continue
    const latest = newest.get(door)
    if (!latest || latest.at <= at) newest.set(door, { door, state, at })
  }
  if (newest.size === 0) return
  const changed = await tx.rows(
    z.object({ item: z.uuid(), account: z.int() }),
    sql`update door_state set door_state_state = state, door_state_state_at = at
          from jsonb_to_recordset(${JSON.stringify([...newest.values()])}::jsonb)
            as row (door uuid, state text, at timestamptz)
         where door_state_id = door and (door_state_state_at is null or door_state_state_at <= at)
        returning door_state_id as item, door_state_account as account`,
  )
  await recordChanges(
    tx,
    changed.map((change) => ({ ...change, collection: 'doors', action: 'save', isPolicy: false })),
  )
}

import type { EventType } from '@portcullis/contract/event-types'
import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { EventRow } from './event-row.ts'

const states: Partial<Record<EventType, string>> = {
  'door.opened': 'open',
  'door.closed': 'closed',
  'door.forced': 'forced',
  'door.held': 'held',
}

/** Updates each door to its newest state, and announces the changes; events older than the stored state change nothing. */
export function updateDoorStates(tx: Transaction, events: readonly EventRow[]) {
  const newest = new Map<string, { door: string; state: string; at: string }>()
  for (const { type, door, occurredAt: at } of events) {
    const state = states[type]
    if (state === undefined || door === null) continue
    const latest = newest.get(door)
    if (!latest || latest.at <= at) newest.set(door, { door, state, at })
  }
  if (newest.size === 0) return
  tx.send(
    prepared(sql`with changed as (
        update door_state set door_state_state = state, door_state_state_at = at
          from jsonb_to_recordset(${JSON.stringify([...newest.values()])}::jsonb)
            as row (door uuid, state text, at timestamptz)
         where door_state_id = door and (door_state_state_at is null or door_state_state_at <= at)
        returning door_state_id, door_state_account)
      insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
      select door_state_account, 'doors', door_state_id, 'save', false from changed`),
  )
}

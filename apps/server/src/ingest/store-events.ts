import sql from 'sql-template-tag'
import { recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import type { EventRow } from './event-row.ts'

/** Inserts events with one statement, and announces them in the outbox. */
export async function storeEvents(tx: Transaction, events: readonly EventRow[]) {
  if (events.length === 0) return
  await insertEvents(tx, storable(events))
  await recordChanges(
    tx,
    events.map(({ _id, account }) => ({ account, collection: 'events', item: _id, action: 'save', isPolicy: false })),
  )
}

/** Inserts events given as JSON text, without announcing them. */
export function insertEvents(tx: Transaction, events: string) {
  return tx.run(
    sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_site, event_door,
          event_unit, event_user, event_credential, event_direction, event_outcome, event_reason, event_reasons,
          event_occurred_at, event_received_at, event_backfilled, event_policy_version, event_log, event_seq, event_data)
        select _id, account, type, category, severity, site, door, unit, "user", credential, direction, outcome, reason,
          reasons, "occurredAt", "receivedAt", backfilled, "policyVersion", log, seq, data
          from json_to_recordset(${events}::json) as row (_id uuid, account int, type text, category text,
            severity text, site uuid, door uuid, unit uuid, "user" uuid, credential uuid, direction text, outcome text,
            reason text, reasons json, "occurredAt" timestamptz, "receivedAt" timestamptz, backfilled boolean,
            "policyVersion" bigint, log uuid, seq bigint, data json)`,
  )
}

/** PostgreSQL refuses NUL and lone surrogates in JSON; a unit that sends them must not block its own log. */
export function storable(value: unknown) {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\u{fffd}') : part,
  )
}

import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { EventRow } from './event-row.ts'

/** Sends one statement that inserts events and announces them in the outbox, in their order. */
export function storeEvents(tx: Transaction, events: readonly EventRow[]) {
  if (events.length === 0) return
  tx.send(
    prepared(sql`with stored as (${insertionOf(storable(events))} returning event_id, event_account)
      insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
      select event_account, 'events', event_id, 'save', false from stored`),
  )
}

/** Inserts events given as JSON text, without announcing them. */
export function insertEvents(tx: Transaction, events: string) {
  return tx.run(insertionOf(events))
}

function insertionOf(events: string) {
  return sql`insert into event (event_id, event_account, event_type, event_category, event_severity, event_site, event_door,
          event_unit, event_user, event_credential, event_direction, event_outcome, event_reason, event_reasons,
          event_occurred_at, event_received_at, event_backfilled, event_policy_version, event_log, event_seq, event_data)
        select _id, account, type, category, severity, site, door, unit, "user", credential, direction, outcome, reason,
          reasons, "occurredAt", "receivedAt", backfilled, "policyVersion", log, seq, data
          from json_to_recordset(${events}::json) as row (_id uuid, account int, type text, category text,
            severity text, site uuid, door uuid, unit uuid, "user" uuid, credential uuid, direction text, outcome text,
            reason text, reasons json, "occurredAt" timestamptz, "receivedAt" timestamptz, backfilled boolean,
            "policyVersion" bigint, log uuid, seq bigint, data json)`
}

/** PostgreSQL refuses NUL and lone surrogates in JSON; a unit that sends them must not block its own log. */
export function storable(value: unknown) {
  const text = JSON.stringify(value)
  // Replacing takes several times as long, and JSON writes these two, and little else, as escapes of this form.
  return unstorable.test(text) ? storableText(value) : text
}

const unstorable = /\\u(?:0000|d[89a-f])/i

function storableText(value: unknown) {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\u{fffd}') : part,
  )
}

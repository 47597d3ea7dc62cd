import { areasSharedWithUnits } from '@portcullis/domain/decision/door-conditions'
import sql from 'sql-template-tag'
import { passagesInOutbox } from '../changes/unit-outcomes.ts'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { EventRow } from './event-row.ts'
import type { OpenFrame } from './open-frame.ts'
import type { NumberedRecord } from './record-events.ts'

/** A passage that is reported later than this denies nothing at other units: by then, the user may be anywhere. */
const lateAfterMs = 15 * 60_000
/** Units count a passage if the door opens this long after the unlock time at the latest. */
const graceMs = 1_000
/** Earlier times are those of a clock that was never set. */
const oldestMs = 400 * 24 * 3_600_000

type StorePassagesInput = {
  frame: OpenFrame
  /** One for each record, in the same order. */
  events: readonly EventRow[]
  records: readonly NumberedRecord[]
}

/**
 * Stores who has passed doors of areas that several units share, and announces it: users who were granted access, once the
 * door opens. After the events, in their transaction. A passage changes nothing if a later one of that user is known.
 */
export function storePassages(tx: Transaction, { frame, events, records }: StorePassagesInput) {
  const openings = records.flatMap(({ record }, at) => {
    const event = events[at]
    return record && event?.type === 'door.opened' ? openingsIn(frame, { event, deviceAt: record.at }) : []
  })
  if (openings.length === 0) return
  const { account, unit, log } = frame.common
  const atDoor = sql`event_account = ${account} and event_door = door and event_log = ${log}
    and event_occurred_at between since and at`
  // The maximum and the limit keep the planner from reading the events in any other way than door by door.
  tx.send(
    prepared(sql`with opening as (
        select * from jsonb_to_recordset(${JSON.stringify(openings)}::jsonb) as row (area uuid, door uuid, seq bigint,
          at timestamptz, since timestamptz, "passedAt" timestamptz, "isLate" boolean)),
      passed as (
        select distinct on (area, granted.user) area, granted.user, direction, "passedAt", "isLate"
          from opening cross join lateral (
            select coalesce(max(event_seq), 0) as seq from event where ${atDoor}
               and event_type = 'door.opened' and event_seq < opening.seq) previous
          cross join lateral (
            select event_user as user, event_direction as direction, event_seq as seq from event where ${atDoor}
               and event_type = 'access.granted' and event_seq > previous.seq and event_seq < opening.seq
               and event_user is not null
             order by event_occurred_at desc limit 20) granted
         order by area, granted.user, "passedAt" desc, granted.seq desc),
      stored as (
        insert into passage (passage_id, passage_area, passage_user, passage_direction, passage_at, passage_unit)
        select gen_random_uuid(), area, passed.user, case when not "isLate" then direction end, "passedAt", ${unit}::uuid
          from passed join door_group on door_group_id = area join person on person_id = passed.user
         order by area, passed.user
        on conflict (passage_area, passage_user) do update set passage_direction = excluded.passage_direction,
          passage_at = excluded.passage_at, passage_unit = excluded.passage_unit, passage_stored_at = now()
          where passage.passage_at < excluded.passage_at
        returning passage_id)
      insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
      select ${account}::int, ${passagesInOutbox}, passage_id, 'save', false from stored`),
  )
}

type Opened = { event: EventRow; deviceAt: string }

/** One row for each area: the opening, and since when a grant counts for it. */
function openingsIn({ index, receivedAt, clockOffsetMs }: OpenFrame, { event, deviceAt }: Opened) {
  const door = index.doors.get(event.door ?? '')
  if (!door) return []
  const openedAt = Date.parse(event.occurredAt)
  // By the server's clock, so that units with different clocks agree on what came later.
  const reportedAt = Date.parse(deviceAt) - (clockOffsetMs ?? 0)
  const passedAt = Math.max(receivedAt - oldestMs, Math.min(receivedAt, reportedAt))
  const opening = {
    door: door._id,
    seq: event.seq,
    at: event.occurredAt,
    since: new Date(openedAt - door.relockAfterSeconds * 1_000 - graceMs).toISOString(),
    passedAt: new Date(passedAt).toISOString(),
    isLate: receivedAt - passedAt > lateAfterMs,
  }
  return areasSharedWithUnits(index, door).map((area) => ({ area, ...opening }))
}

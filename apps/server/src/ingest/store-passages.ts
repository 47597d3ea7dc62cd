import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import { areasOfDoor, areasSharedWithUnits } from '@portcullis/domain/decision/door-conditions'
import type { Door } from '@portcullis/domain/policy'
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

/** How many users pass by one opening at most. */
const mostGrants = 20

type StorePassagesInput = {
  frame: OpenFrame
  /** One for each record, in the same order. */
  events: readonly EventRow[]
  records: readonly NumberedRecord[]
}

/**
 * Stores who has passed doors of anti-passback areas: users who were granted access, once the door opens, or at once if it is
 * open. It announces the passages of areas that several units share. After the events, in their transaction. A passage changes
 * nothing if a later one of that user is known.
 */
export function storePassages(tx: Transaction, input: StorePassagesInput) {
  const { openings, passages, shared } = passagesIn(input)
  if (openings.length === 0 && passages.length === 0) return
  const { account, unit, log } = input.frame.common
  const atDoor = sql`event_account = ${account} and event_door = door and event_log = ${log}
    and event_occurred_at between since and at`
  // The maximum and the limit keep the planner from reading the events in any other way than door by door.
  tx.send(
    prepared(sql`with opening as (
        select * from jsonb_to_recordset(${JSON.stringify(openings)}::jsonb) as row (area uuid, door uuid, seq bigint,
          at timestamptz, since timestamptz, "passedAt" timestamptz, "isLate" boolean)),
      found as (
        select area, granted.user, direction, "passedAt", "isLate", granted.seq
          from opening cross join lateral (
            select coalesce(max(event_seq), 0) as seq from event where ${atDoor}
               and event_type = 'door.opened' and event_seq < opening.seq) previous
          cross join lateral (
            select event_user as user, event_direction as direction, event_seq as seq from event where ${atDoor}
               and event_type = 'access.granted' and event_seq > previous.seq and event_seq < opening.seq
               and event_user is not null
             order by event_occurred_at desc limit ${mostGrants}) granted
        union all
        select * from jsonb_to_recordset(${JSON.stringify(passages)}::jsonb) as row (area uuid, "user" uuid,
          direction text, "passedAt" timestamptz, "isLate" boolean, seq bigint)),
      passed as (
        select distinct on (area, found.user) * from found order by area, found.user, "passedAt" desc, seq desc),
      stored as (
        insert into passage (passage_id, passage_area, passage_user, passage_direction, passage_late_direction, passage_at,
          passage_unit)
        select gen_random_uuid(), area, passed.user, case when not "isLate" then direction end,
          case when "isLate" then direction end, "passedAt", ${unit}::uuid
          from passed join door_group on door_group_id = area join person on person_id = passed.user
         order by area, passed.user
        on conflict (passage_area, passage_user) do update set passage_direction = excluded.passage_direction,
          passage_late_direction = excluded.passage_late_direction, passage_at = excluded.passage_at,
          passage_unit = excluded.passage_unit, passage_stored_at = now()
          where passage.passage_at < excluded.passage_at
        returning passage_id, passage_area)
      insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
      select ${account}::int, ${passagesInOutbox}, passage_id, 'save', false from stored
       where passage_area = any(${[...shared]}::uuid[])`),
  )
}

/** The grants at a door since it last opened in this frame; `hasOpened`: it did. */
type AtDoor = { door: Door; areas: readonly string[]; grants: EventRow[]; hasOpened: boolean }

/**
 * The passages that the records of a frame show on their own, and the first opening of each door, whose grants may be in
 * earlier frames. So the database looks back once for each door, however many records a frame has.
 */
function passagesIn({ frame, events, records }: StorePassagesInput) {
  const doors = new Map<string, AtDoor>()
  const openings: ReturnType<typeof openingsIn> = []
  const passages: object[] = []
  const shared = new Set<string>()
  for (const [at, { record }] of records.entries()) {
    const event = events[at]
    const here = event && doorOf(event)
    if (!record || !here || here.areas.length === 0) continue
    const passing = passingOf(frame, record)
    const add = ({ user, direction, seq }: EventRow) =>
      passages.push(...here.areas.map((area) => ({ area, user, direction, seq, ...passing })))
    if (event.type === 'access.granted' && event.user !== null) {
      if (record.type === 'access' && record.passed) add(event)
      else here.grants.push(event)
    } else if (event.type === 'door.opened') {
      const since = openableSince(here.door, event)
      const isCounted = ({ occurredAt }: EventRow) => occurredAt >= since && occurredAt <= event.occurredAt
      if (here.hasOpened) here.grants.filter(isCounted).slice(-mostGrants).forEach(add)
      else openings.push(...openingsIn(here, { event, since, passing }))
      Object.assign(here, { grants: [], hasOpened: true })
    }
  }
  return { openings, passages, shared }

  function doorOf({ door: id }: EventRow) {
    const door = frame.index.doors.get(id ?? '')
    if (!door) return undefined
    const known = doors.get(door._id)
    if (known) return known
    for (const area of areasSharedWithUnits(frame.index, door)) shared.add(area)
    const areas = areasOfDoor(frame.index, door._id).map(({ _id: area }) => area)
    const here: AtDoor = { door, areas, grants: [], hasOpened: false }
    doors.set(door._id, here)
    return here
  }
}

/** Since when a grant counts for an opening. */
function openableSince({ relockAfterSeconds }: Door, { occurredAt }: EventRow) {
  return new Date(Date.parse(occurredAt) - relockAfterSeconds * 1_000 - graceMs).toISOString()
}

/** By the server's clock, so that units with different clocks agree on what came later. */
function passingOf({ receivedAt, clockOffsetMs }: OpenFrame, { at }: UnitRecord) {
  const reportedAt = Date.parse(at) - (clockOffsetMs ?? 0)
  const passedAt = Math.max(receivedAt - oldestMs, Math.min(receivedAt, reportedAt))
  return { passedAt: new Date(passedAt).toISOString(), isLate: receivedAt - passedAt > lateAfterMs }
}

type Opening = { event: EventRow; since: string; passing: ReturnType<typeof passingOf> }

/** One row for each area. */
function openingsIn({ door, areas }: AtDoor, { event, since, passing }: Opening) {
  return areas.map((area) => ({ area, door: door._id, seq: event.seq, at: event.occurredAt, since, ...passing }))
}

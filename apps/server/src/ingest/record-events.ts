import type { EventType } from '@portcullis/contract/event-types'
import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import type { Transaction } from '../database/database.ts'
import type { AccessRecord, ExplainEarlier } from './earlier-configs.ts'
import { type EventRow, eventRow, severityOf } from './event-row.ts'
import type { OpenFrame } from './open-frame.ts'
import { plausibleTime } from './plausible-time.ts'
import { type Mismatch, resolveRecord, type ResolveRecordInput } from './resolve-record.ts'
import { type IngestContext, peopleNames } from './ingest-context.ts'

/** A record with its sequence number; `raw` is the beginning of a body that cannot be read, as text. */
export type NumberedRecord = { seq: number; record: UnitRecord } | { seq: number; record: undefined; raw: string }
type RecordEventsInput = {
  frame: OpenFrame
  records: readonly NumberedRecord[]
  context: IngestContext
  explain: ExplainEarlier
}

/** Turns the records of a unit into events: what, where, who and why, still without the names of users. */
export function recordEvents({ frame, records, context, explain }: RecordEventsInput): EventRow[] {
  const { configs, leftOut, operators } = context
  return records.map((numbered) => {
    const { record } = numbered
    const event = eventOf(frame, numbered)
    if (record) event.policyVersion = configs.policyVersionOf(record.configVersion)
    if (record?.type === 'access') addResolved({ event, frame, configs, leftOut, explain, record })
    if (record?.type === 'door' && record.command) event.user = operators.get(record.command) ?? null
    return event
  })
}

/** Adds the current names of the events' users. */
export async function addNames(tx: Transaction, events: readonly EventRow[], { names }: IngestContext) {
  // The unit's configuration of that time may name users who are not in the current policy.
  const furtherUsers = events.flatMap(({ user }) => (user === null || names.has(user) ? [] : [user]))
  const otherNames = await peopleNames(tx, { users: [...new Set(furtherUsers)] })
  for (const { user, data } of events) {
    if (user !== null) Object.assign(data.names, names.get(user) ?? otherNames.get(user))
  }
}

function eventOf(frame: OpenFrame, numbered: NumberedRecord): EventRow {
  const { seq, record } = numbered
  const occurrence = 'raw' in numbered ? unreadable(frame, numbered.raw) : occurrenceOf(frame, numbered.record)
  const place = record && 'door' in record ? placeOf(frame, record.door) : {}
  const event = eventRow({ ...frame.common, ...place, ...occurrence, seq })
  event.data = { ...event.data, ...occurrence.data, names: { ...frame.data.names, ...namesAt(frame, record) } }
  return event
}

type AddResolvedInput = Omit<ResolveRecordInput, 'occurredAt'> & { event: EventRow }

/** Adds the verdict and the reason that the server finds in the policy that the unit had applied. */
function addResolved({ event, ...input }: AddResolvedInput) {
  const { record } = input
  const { occurredAt } = event
  const { kind, number, mismatch, ...resolved } = resolveRecord({ ...input, occurredAt })
  Object.assign(event, resolved)
  event.severity = severityOfAccess(event, record)
  event.data = {
    ...event.data,
    number,
    kind,
    unitReason: record.reason,
    ...(mismatch === 'out_of_step' ? { outOfStep: true } : {}),
    ...noteOf(record, mismatch),
  }
}

/** A duress PIN is an alarm, and a grant that anti-passback only reports a warning. */
function severityOfAccess({ type, reason }: EventRow, { duress, antiPassback }: AccessRecord): EventRow['severity'] {
  if (duress) return 'alarm'
  return antiPassback ? 'warning' : severityOf(type, reason)
}

function noteOf({ duress, antiPassback }: AccessRecord, mismatch: Mismatch | null) {
  if (mismatch === 'left_out') return { note: { code: 'left_out' } as const }
  if (duress) return { note: { code: 'duress' } as const }
  return antiPassback ? { note: { code: 'antipassback_tolerated' } as const } : {}
}

type Occurrence = Pick<EventRow, 'type' | 'occurredAt'> & Partial<EventRow>

function occurrenceOf(frame: OpenFrame, record: UnitRecord): Occurrence {
  const { receivedAt, clockOffsetMs } = frame
  const time = plausibleTime({ deviceAt: Date.parse(record.at), receivedAt, clockOffsetMs })
  const clock = time.clockWrong ? { clockWrong: true, deviceTime: record.at } : {}
  const detail = detailOf(record)
  return {
    type: typeOf(record),
    occurredAt: new Date(time.occurredAt).toISOString(),
    backfilled: time.backfilled,
    data: { names: {}, ...clock, ...detail },
    ...(record.type === 'access' ? { direction: record.direction, outcome: outcomes[record.verdict] } : {}),
  }
}

/** The detail of a unit's record, and the new mode of a door. */
function detailOf(record: UnitRecord) {
  if (record.type === 'unit' && record.detail) return { detail: record.detail }
  return record.type === 'door' && record.mode ? { note: { code: 'door_mode', mode: record.mode } as const } : {}
}

const outcomes = { grant: 'granted', deny: 'denied' } as const

function typeOf(record: UnitRecord): EventType {
  switch (record.type) {
    case 'access':
      return `access.${outcomes[record.verdict]}`
    case 'door':
      return `door.${record.what}`
    case 'unit':
      return `unit.${record.what}`
  }
}

/** Stored as received, as text, so that the manufacturer can find the fault. */
function unreadable(frame: OpenFrame, raw: string): Occurrence {
  const data = { names: {}, raw }
  return { type: 'unit.unreadable_record', occurredAt: frame.common.receivedAt, data }
}

function placeOf({ doors }: OpenFrame, number: number) {
  const door = doors.get(number)
  return door ? { door: door._id, site: door.site } : {}
}

function namesAt({ index, doors }: OpenFrame, record: UnitRecord | undefined) {
  if (!record || !('door' in record)) return {}
  const door = doors.get(record.door)
  if (!door) return { door: `Door ${record.door}` }
  const site = index.sites.get(door.site)
  return { door: door.name, ...(site ? { site: site.name, timeZone: site.timeZone } : {}) }
}

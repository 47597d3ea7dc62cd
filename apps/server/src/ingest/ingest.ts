import type { EventNote } from '@portcullis/contract/event-notes'
import { unitRecord } from '@portcullis/contract/unit-protocol/records'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import type { Policies } from '../policy/policies.ts'
import { confirmByRecord } from '../commands/command-status.ts'
import { updateDoorStates } from './door-states.ts'
import { delayOf, noDelay } from './event-delay.ts'
import { eventRow } from './event-row.ts'
import { openFrame } from './open-frame.ts'
import { type NumberedRecord, recordEvents } from './record-events.ts'
import { UnitRefused } from './refusal.ts'
import { storeEvents } from './store-events.ts'

type IngestOptions = { database: Database; policies: Policies; now: () => number }
type Frame = {
  unit: string
  logId: string
  records: readonly { seq: number; body?: unknown }[]
  clockOffsetMs: number | null
}

/**
 * Stores the records of a frame that the server does not have yet, exactly once even if they are sent again. Returns
 * the acknowledged sequence, up to which the unit may delete its records, and the delay of the events. Locks the
 * acknowledged sequence first, so that two connections of one unit cannot interleave.
 */
export async function ingest(
  { database, policies, now }: IngestOptions,
  { unit, logId, records, clockOffsetMs }: Frame,
) {
  // Before the transaction, because loading a policy can take long.
  await policies.ofUnit(unit)
  return database.asSystem(async (tx) => {
    const frame = await openFrame(tx, { unit, policies, receivedAt: now(), clockOffsetMs, logId })
    const acknowledged = await lockAcknowledged(tx, { unit, logId })
    const fresh = freshRecords(records, acknowledged)
    const last = fresh.at(-1)
    if (!last) return { upTo: acknowledged, delay: noDelay }
    const events = await recordEvents(tx, { frame, records: fresh })
    const gaps = gapsBefore(fresh, acknowledged).map((note) =>
      eventRow({
        ...frame.common,
        type: 'unit.log_gap',
        occurredAt: frame.common.receivedAt,
        data: { ...frame.data, note },
      }),
    )
    await storeEvents(tx, [...gaps, ...events])
    await updateDoorStates(tx, events)
    await confirmByRecord(tx, { unit, records: fresh })
    await tx.run(
      sql`update unit_mark set unit_mark_seq = ${last.seq} where unit_mark_unit = ${unit} and unit_mark_log = ${logId}`,
    )
    return { upTo: last.seq, delay: delayOf(events, clockOffsetMs) }
  })
}

async function lockAcknowledged(tx: Transaction, { unit, logId }: { unit: string; logId: string }) {
  const row = await tx.first(
    z.object({ seq: z.number() }),
    sql`insert into unit_mark (unit_mark_unit, unit_mark_log, unit_mark_seq) values (${unit}, ${logId}, 0)
        on conflict (unit_mark_unit, unit_mark_log) do update set unit_mark_seq = unit_mark.unit_mark_seq
        returning unit_mark_seq as seq`,
  )
  if (!row) throw new UnitRefused('unknown_unit')
  return row.seq
}

/** The records after the acknowledged sequence, sorted and without duplicates. */
function freshRecords(records: Frame['records'], acknowledged: number): NumberedRecord[] {
  const bySeq = new Map(records.filter(({ seq }) => seq > acknowledged).map((record) => [record.seq, record]))
  return [...bySeq.values()]
    .sort((a, b) => a.seq - b.seq)
    .map(({ seq, body }) => ({ seq, body, record: unitRecord.safeParse(body).data }))
}

/** The gaps in the sequence that no record reports. */
function gapsBefore(records: readonly NumberedRecord[], acknowledged: number): EventNote[] {
  return records.flatMap(({ seq, record }, index) => {
    const before = records[index - 1]?.seq ?? acknowledged
    const isReported = record?.type === 'unit' && record.what === 'log_gap'
    return seq === before + 1 || isReported ? [] : [{ code: 'records_missing', from: before + 1, to: seq - 1 }]
  })
}

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

type Parts = { database: Database; policies: Policies; now: () => number }
type Frame = {
  unit: string
  logId: string
  records: readonly { seq: number; body?: unknown }[]
  clockOffsetMs: number | null
}

/**
 * Stores the records of a frame that the server does not have yet, exactly once whatever is sent again, and answers up to
 * where the unit may forget, and how long the events took. Its mark is locked first, so that two connections of one unit can't
 * interleave.
 */
export function ingest({ database, policies, now }: Parts, { unit, logId, records, clockOffsetMs }: Frame) {
  return database.asSystem(async (tx) => {
    const frame = await openFrame(tx, { unit, policies, receivedAt: now(), clockOffsetMs, logId })
    const mark = await lockMark(tx, { unit, logId })
    const fresh = freshRecords(records, mark)
    const last = fresh.at(-1)
    if (!last) return { upTo: mark, delay: noDelay }
    const events = await recordEvents(tx, { frame, records: fresh })
    const gaps = gapsBefore(fresh, mark).map((note) =>
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

async function lockMark(tx: Transaction, { unit, logId }: { unit: string; logId: string }) {
  const row = await tx.first(
    z.object({ seq: z.number() }),
    sql`insert into unit_mark (unit_mark_unit, unit_mark_log, unit_mark_seq) values (${unit}, ${logId}, 0)
        on conflict (unit_mark_unit, unit_mark_log) do update set unit_mark_seq = unit_mark.unit_mark_seq
        returning unit_mark_seq as seq`,
  )
  if (!row) throw new UnitRefused('unknown_unit')
  return row.seq
}

/** What is above the mark, in order and once, whatever the order in the frame. */
function freshRecords(records: Frame['records'], mark: number): NumberedRecord[] {
  const bySeq = new Map(records.filter(({ seq }) => seq > mark).map((record) => [record.seq, record]))
  return [...bySeq.values()]
    .sort((a, b) => a.seq - b.seq)
    .map(({ seq, body }) => ({ seq, body, record: unitRecord.safeParse(body).data }))
}

/** Numbers that were skipped without a record that says so. */
function gapsBefore(records: readonly NumberedRecord[], mark: number): EventNote[] {
  return records.flatMap(({ seq, record }, index) => {
    const before = records[index - 1]?.seq ?? mark
    const isTold = record?.type === 'unit' && record.what === 'log_gap'
    return seq === before + 1 || isTold ? [] : [{ code: 'records_missing', from: before + 1, to: seq - 1 }]
  })
}

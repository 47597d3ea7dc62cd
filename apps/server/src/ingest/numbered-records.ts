import { unitRecord } from '@portcullis/contract/unit-protocol/records'
import { timeSlices } from '../time-slices.ts'
import { rawText } from './raw-text.ts'
import type { NumberedRecord } from './record-events.ts'

/** The records, sorted and without duplicates; reading hundreds of large ones lets other work run in between. */
export async function numberedRecords(records: readonly { seq: number; body?: unknown }[]): Promise<NumberedRecord[]> {
  const bySeq = new Map(records.map((record) => [record.seq, record]))
  const read: NumberedRecord[] = []
  const slices = timeSlices()
  for (const { seq, body } of [...bySeq.values()].sort((a, b) => a.seq - b.seq)) {
    const record = unitRecord.safeParse(body).data
    read.push(record ? { seq, record } : { seq, record, raw: rawText(body) })
    await slices.pause()
  }
  return read
}

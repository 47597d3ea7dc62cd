import type { UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { unitRecord } from '@portcullis/contract/unit-protocol/records'

/** The numbers of all records that the unit has sent, by log. */
export class SeenLogs {
  readonly #highest = new Map<string, number>()
  /** What was wrong first; null while nothing is. */
  fault: string | null = null

  see({ logId, records }: Extract<UnitFrame, { type: 'events' }>) {
    for (const { seq, body } of records) {
      const highest = this.#highest.get(logId) ?? 0
      if (seq > highest + 1 && !isLogGap(body)) this.fault ??= faultOf(seq, highest)
      this.#highest.set(logId, Math.max(highest, seq))
    }
  }
}

export function isLogGap(body: unknown) {
  const record = unitRecord.safeParse(body).data
  return record?.type === 'unit' && record.what === 'log_gap'
}

function faultOf(seq: number, highest: number) {
  return highest === 0
    ? `The first record of a log has the number ${seq}, not 1.`
    : `Record ${seq} follows record ${highest} of the same log.`
}

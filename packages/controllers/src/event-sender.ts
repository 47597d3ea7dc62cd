import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import type { Batch, Cursor, DurableLog } from './durable-log.ts'

/** At most this many frames are unacknowledged; further records wait, and are sent together. */
const maxInFlight = 8
/** Room for what surrounds the records in a frame. */
const frameOverheadBytes = 4_096

/** Sends the records of the log in order, and deletes only those that the server has acknowledged. */
export class EventSender {
  readonly #log: DurableLog
  readonly #acknowledged: (logId: string, upTo: number) => void
  #inFlight: Cursor[] = []
  #cursor: Cursor | undefined
  #isSending = false
  onBatch: (batch: Batch) => void = () => {}

  constructor({ log, acknowledged }: { log: DurableLog; acknowledged: (logId: string, upTo: number) => void }) {
    this.#log = log
    this.#acknowledged = acknowledged
  }

  get size() {
    return this.#log.size
  }

  /** Resolves when the record is durable; only then is it sent. */
  async record(record: UnitRecord) {
    await this.#log.append(record)
    this.#pump()
  }

  /** On a new connection, sends again the records that the server has not acknowledged. */
  begin() {
    this.pause()
    this.#isSending = true
    this.#pump()
  }

  pause() {
    this.#isSending = false
    this.#inFlight = []
    this.#cursor = undefined
  }

  acknowledged({ logId, upTo }: { logId: string; upTo: number }) {
    if (this.#log.acknowledge(logId, upTo) > 0) this.#acknowledged(logId, upTo)
    this.#inFlight = this.#inFlight.filter((sent) => sent.logId !== logId || sent.seq > upTo)
    this.#pump()
  }

  #pump() {
    while (this.#isSending && this.#inFlight.length < maxInFlight) {
      const batch = this.#log.next({
        after: this.#cursor,
        records: limits.eventsPerFrame,
        bytes: limits.frameBytes - frameOverheadBytes,
      })
      const last = batch?.records.at(-1)
      if (!batch || !last) return
      this.onBatch(batch)
      this.#cursor = { logId: batch.logId, seq: last.seq }
      this.#inFlight.push(this.#cursor)
    }
  }
}

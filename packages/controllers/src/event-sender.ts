import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import type { Cursor, DurableLog, Lane } from './durable-log.ts'
import type { Batch } from './log-lines.ts'
import { type Faults, noFaults } from './unit-link.ts'

/**
 * At most this many frames of a lane are unacknowledged; further records wait, and are sent together. Few of the backlog:
 * a live record waits for those that were sent before it.
 */
const maxInFlight: Record<Lane, number> = { live: 8, backlog: 3 }
const lanes = ['live', 'backlog'] as const
/** More records than this, one frame, are a backlog, ahead of which later records are sent. */
const backlogRecords = limits.eventsPerFrame
/** Room for what surrounds the records in a frame. */
const frameOverheadBytes = 4_096

type Options = {
  log: DurableLog
  acknowledged: (logId: string, upTo: number) => void
  faults?: () => Pick<Faults, 'unreadable'>
}

/**
 * Sends the records of the log in order, and deletes only those that the server has acknowledged. After an outage, the
 * records from then on form a log of their own, and do not wait for those of the outage.
 */
export class EventSender {
  readonly #log: DurableLog
  readonly #acknowledged: Options['acknowledged']
  readonly #faults: NonNullable<Options['faults']>
  #inFlight: Record<Lane, Cursor[]> = { live: [], backlog: [] }
  #cursors: Partial<Record<Lane, Cursor>> = {}
  #isSending = false
  onBatch: (batch: Batch) => void = () => {}

  constructor({ log, acknowledged, faults = () => noFaults }: Options) {
    this.#log = log
    this.#faults = faults
    this.#acknowledged = acknowledged
  }

  get size() {
    return this.#log.size
  }

  /** Resolves when the record is durable; only then is it sent. */
  async record(record: UnitRecord) {
    await this.#log.append(this.#faults().unreadable ? cutOff(record) : record)
    this.#pump()
  }

  /** On a new connection, sends again the records that the server has not acknowledged, the live ones first. */
  begin() {
    this.pause()
    if (this.#log.size - this.#log.backlogSize > backlogRecords) this.#log.beginLog()
    this.#isSending = true
    this.#pump()
  }

  pause() {
    this.#isSending = false
    this.#inFlight = { live: [], backlog: [] }
    this.#cursors = {}
  }

  acknowledged({ logId, upTo }: { logId: string; upTo: number }) {
    if (this.#log.acknowledge(logId, upTo) > 0) this.#acknowledged(logId, upTo)
    for (const lane of lanes)
      this.#inFlight[lane] = this.#inFlight[lane].filter((sent) => sent.logId !== logId || sent.seq > upTo)
    this.#pump()
  }

  #pump() {
    for (const lane of lanes) {
      while (this.#isSending && this.#inFlight[lane].length < maxInFlight[lane] && this.#sendNext(lane));
    }
  }

  /** Returns whether there was anything to send. */
  #sendNext(lane: Lane) {
    const batch = this.#log.next({
      lane,
      after: this.#cursors[lane],
      records: limits.eventsPerFrame,
      bytes: limits.frameBytes - frameOverheadBytes,
    })
    const last = batch?.records.at(-1)
    if (!batch || !last) return false
    this.onBatch(batch)
    const cursor = { logId: batch.logId, seq: last.seq }
    this.#cursors[lane] = cursor
    this.#inFlight[lane].push(cursor)
    return true
  }
}

/** A record of which the end is missing. */
function cutOff(record: UnitRecord) {
  return JSON.stringify(record).slice(0, -10)
}

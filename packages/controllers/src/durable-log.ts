import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Batch,
  batchOf,
  type LogHeader,
  logLine,
  type LogRecord,
  readLog,
  type StoredRecord,
} from './log-lines.ts'
import { type Disk, writeDurably } from './write-durably.ts'

/** Why records are missing: the log was full, the disk refused them, or they cannot be read. */
export type LogGap = { why: 'full' | 'unwritable' | 'unreadable'; records: number | undefined }

export type DurableLogOptions = Disk & {
  dir: string
  /** The body of the record that replaces lost ones. */
  gapBody: (gap: LogGap) => unknown
  /** Beyond this size, which can change, one record replaces the oldest ones. */
  maxBytes?: () => number
  segmentBytes?: number
  /** Called for every record once it would survive a power cut, and before it can be sent. */
  onDurable?: (logId: string, record: LogRecord) => void
}

/** The last record that was sent. */
export type Cursor = { logId: string; seq: number }
/** Records are sent in two lanes: those of the newest log id, and those of the earlier ones. */
export type Lane = 'live' | 'backlog'

type NextRecords = { lane: Lane; after: Cursor | undefined; records: number; bytes: number }
type Segment = { path: string; header: LogHeader; lastSeq: number; bytes: number }
type Waiting = { body: unknown; resolve: (seq: number) => void; reject: (error: unknown) => void }

/**
 * The events of a unit on its disk, in order, until the server has them. A record is durable when `append` resolves;
 * records that arrive together share one sync. Sequence numbers count from 1 within a log id and have no gaps; where
 * the beginning or the middle of the files is damaged, a new log id begins, because its numbers may have been used
 * already. A new log id also begins where later records must be sent ahead of the earlier ones.
 */
export class DurableLog {
  readonly #options: Required<DurableLogOptions>
  #segments: Segment[] = []
  #pending: StoredRecord[] = []
  #active: { segment: Segment; file: FileHandle } | undefined
  #gap: LogGap | undefined
  #waiting: Waiting[] = []
  #flushing: Promise<void> | undefined
  #tidying: Promise<unknown> = Promise.resolve()
  #nextNumber = 1
  /** The log id of the records from now on. */
  #newestLog: string = randomUUID()
  #isClosed = false

  private constructor(options: Required<DurableLogOptions>) {
    this.#options = options
  }

  static async open(options: DurableLogOptions) {
    const sizes = { maxBytes: () => 8 * 1024 * 1024, segmentBytes: 256 * 1024 }
    const log = new DurableLog({ beforeWrite: () => {}, onDurable: () => {}, ...sizes, ...options })
    await mkdir(options.dir, { recursive: true, mode: 0o700 })
    await log.#load()
    return log
  }

  /** How many records the server has not acknowledged. */
  get size() {
    return this.#pending.length
  }

  /** How many of them are of the earlier log ids. */
  get backlogSize() {
    return this.#pending.findLastIndex(({ logId }) => logId !== this.#newestLog) + 1
  }

  /** Returns the record's sequence number once it is durable. Rejects where the disk refuses; a later record then reports the loss. */
  append(body: unknown) {
    if (this.#isClosed) return Promise.reject(new Error('The log is closed.'))
    const appended = new Promise<number>((resolve, reject) => this.#waiting.push({ body, resolve, reject }))
    this.#flushing ??= this.#flush()
    return appended
  }

  /** Later records get a log id of their own, so that they can be sent ahead of the earlier ones. */
  beginLog() {
    this.#newestLog = randomUUID()
  }

  /** The oldest unacknowledged records of the lane after the cursor, of one log id. */
  next({ lane, after, records, bytes }: NextRecords): Batch | undefined {
    const firstLive = this.backlogSize
    const [begin, end] = lane === 'live' ? [firstLive, this.#pending.length] : [0, firstLive]
    const start = Math.max(begin, this.#pending.findLastIndex((record) => after && isReached(record, after)) + 1)
    return batchOf(this.#pending.slice(start, Math.min(end, start + records)), bytes)
  }

  /** Deletes the records that the server has stored, and returns their number. */
  acknowledge(logId: string, upTo: number) {
    const first = this.#pending.findIndex((record) => record.logId === logId)
    if (first < 0) return 0
    let count = 0
    while (isReached(this.#pending[first + count], { logId, seq: upTo })) count++
    this.#pending.splice(first, count)
    const done = this.#segments.filter((segment) => segment !== this.#active?.segment && this.#isDone(segment))
    this.#drop(done)
    return count
  }

  async close() {
    this.#isClosed = true
    await this.#flushing
    await this.#end()
  }

  /** Simulates a power cut: the log loses the records that it has not begun to write. */
  async abandon() {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('The power was cut.'))
    await this.#flushing
    await this.#end()
  }

  async #end() {
    await this.#tidying
    await this.#active?.file.close()
    this.#active = undefined
  }

  async #flush() {
    // All records that arrive in this turn of the event loop share one sync.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0)
      try {
        const first = await this.#write(batch.map(({ body }) => body))
        for (const [index, { resolve }] of batch.entries()) resolve(first + index)
      } catch (error) {
        this.#gap = { why: 'unwritable', records: (this.#gap?.records ?? 0) + batch.length }
        for (const { reject } of batch) reject(error)
      }
    }
    this.#flushing = undefined
  }

  async #write(given: unknown[]) {
    this.#options.beforeWrite()
    const { segment, file } = await this.#writable()
    const bodies = this.#gap ? [this.#options.gapBody(this.#gap), ...given] : given
    const records = bodies.map((body, index) => ({ seq: segment.lastSeq + 1 + index, body }))
    const lines = records.map((record) => Buffer.from(logLine(record)))
    const bytes = Buffer.concat(lines)
    try {
      await file.appendFile(bytes)
      await file.datasync()
    } catch (error) {
      await this.#reopen()
      throw error
    }
    this.#gap = undefined
    const { logId } = segment.header
    segment.bytes += bytes.length
    segment.lastSeq += records.length
    for (const [index, record] of records.entries()) {
      this.#pending.push({ ...record, logId, bytes: lines[index]?.length ?? 0 })
      this.#options.onDurable(logId, record)
    }
    await this.#makeRoom()
    return segment.lastSeq - given.length + 1
  }

  async #writable() {
    const active = this.#active
    const last = active?.segment
    const isSameLog = last?.header.logId === this.#newestLog
    if (active && isSameLog && !this.#isOutgrown(active.segment)) return active
    const header = { logId: this.#newestLog, firstSeq: last && isSameLog ? last.lastSeq + 1 : 1, lost: 0 }
    const number = this.#nextNumber++
    const path = join(this.#options.dir, `${String(number).padStart(12, '0')}.log`)
    const line = logLine(header)
    await writeDurably(path, line)
    const segment = { path, header, lastSeq: header.firstSeq - 1, bytes: Buffer.byteLength(line) }
    this.#segments.push(segment)
    await active?.file.close()
    this.#active = { segment, file: await open(path, 'a') }
    if (last && this.#isDone(last)) this.#drop([last])
    return this.#active
  }

  #isOutgrown(segment: Segment) {
    const limit = Math.min(this.#options.segmentBytes, Math.floor(this.#options.maxBytes() / 4))
    return segment.bytes > limit || (segment.bytes > limit / 4 && this.#isDone(segment))
  }

  /** After a failed write the content of the disk beyond the last sync is unknown. */
  async #reopen() {
    const active = this.#active
    if (!active) return
    await active.file.close().catch(() => {})
    this.#active = undefined
    const logId = this.#newestLog
    // If this fails, the numbers of this log may have been used already.
    this.#newestLog = randomUUID()
    await truncate(active.segment.path, active.segment.bytes)
    this.#newestLog = logId
    this.#active = { segment: active.segment, file: await open(active.segment.path, 'a') }
  }

  #isDone({ header, lastSeq }: Segment) {
    const first = this.#pending.find(({ logId }) => logId === header.logId)
    return first === undefined || first.seq > lastSeq
  }

  #drop(segments: Segment[]) {
    if (segments.length === 0) return
    this.#segments = this.#segments.filter((segment) => !segments.includes(segment))
    void this.#tidy(async () => {
      for (const { path } of segments) await rm(path, { force: true })
    })
  }

  #tidy(work: () => Promise<unknown>) {
    // A file that could not be removed holds acknowledged records only; they are sent again and stored once.
    this.#tidying = this.#tidying.then(work).catch(() => {})
    return this.#tidying
  }

  /** While the log is too large, one record takes the place of the oldest segment. */
  async #makeRoom() {
    const { maxBytes, gapBody } = this.#options
    while (this.#segments.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes()) {
      const index = this.#segments.findIndex(({ header }) => header.lost === 0)
      const victim = this.#segments[index]
      if (!victim || victim === this.#active?.segment) return
      const { logId } = victim.header
      const isOfVictim = (record: StoredRecord) => record.logId === logId && record.seq <= victim.lastSeq
      const earlier = this.#segments.slice(0, index).filter(({ header }) => header.logId === logId)
      const lostBefore = earlier.reduce((sum, { header }) => sum + header.lost, 0)
      const lost = lostBefore + this.#pending.filter(isOfVictim).length - earlier.length
      const header = { logId, firstSeq: victim.lastSeq, lost }
      const record = { seq: victim.lastSeq, body: gapBody({ why: 'full', records: lost }) }
      const text = logLine(header) + logLine(record)
      await writeDurably(victim.path, text)
      const remaining = this.#pending.filter((pending) => !isOfVictim(pending))
      const at = this.#pending.findIndex(isOfVictim)
      remaining.splice(Math.max(at, 0), 0, { ...record, logId, bytes: text.length })
      this.#pending = remaining
      Object.assign(victim, { header, bytes: Buffer.byteLength(text) })
      this.#options.onDurable(logId, record)
      this.#drop(earlier)
    }
  }

  async #load() {
    const { dir } = this.#options
    const names = (await readdir(dir)).filter((name) => name.endsWith('.log')).sort()
    this.#nextNumber = Number.parseInt(names.at(-1) ?? '0', 10) + 1
    const unreadable: string[] = []
    const damaged: Segment[] = []
    for (const [index, name] of names.entries()) {
      const path = join(dir, name)
      const content = readLog(await readFile(path))
      if (!content) {
        unreadable.push(path)
        continue
      }
      const { header, records, length, end } = content
      const lastSeq = header.firstSeq + records.length - 1
      const segment = { path, header, lastSeq, bytes: length }
      this.#segments.push(segment)
      if (end === 'damaged' || (end === 'torn' && index < names.length - 1)) damaged.push(segment)
      for (const record of records) {
        this.#pending.push({ ...record, logId: header.logId, bytes: Buffer.byteLength(logLine(record)) })
      }
    }
    const last = this.#segments.at(-1)
    if (unreadable.length + damaged.length > 0) {
      // The loss is recorded durably before its traces are removed.
      await this.#write([this.#options.gapBody({ why: 'unreadable', records: undefined })])
      for (const path of unreadable) await rename(path, `${path}.unreadable`)
      for (const { path, bytes } of damaged) await truncate(path, bytes)
    } else if (last) {
      await truncate(last.path, last.bytes)
      this.#newestLog = last.header.logId
      this.#active = { segment: last, file: await open(last.path, 'a') }
    }
  }
}

function isReached(record: StoredRecord | undefined, cursor: Cursor) {
  return record?.logId === cursor.logId && record.seq <= cursor.seq
}

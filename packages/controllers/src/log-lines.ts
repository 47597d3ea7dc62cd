import { crc32 } from 'node:zlib'
import { z } from 'zod'

export type LogRecord = { seq: number; body: unknown }

/** With the length of its line. */
export type StoredRecord = LogRecord & { logId: string; bytes: number }
export type Batch = { logId: string; records: LogRecord[] }

/** The first of these records that have one log id and together at most this many bytes, but at least one. */
export function batchOf([first, ...others]: readonly StoredRecord[], mostBytes: number): Batch | undefined {
  if (!first) return undefined
  const { logId } = first
  const records = [{ seq: first.seq, body: first.body }]
  let size = first.bytes
  for (const { seq, body, ...record } of others) {
    size += record.bytes
    if (record.logId !== logId || size > mostBytes) break
    records.push({ seq, body })
  }
  return { logId, records }
}

/** One line of a log: checksum, a space, the JSON, a line feed. */
export function logLine(value: unknown) {
  const json = JSON.stringify(value)
  return `${checksum(json)} ${json}\n`
}

/**
 * The readable beginning of a log: everything before the first invalid line. `torn`: only an unfinished last line follows,
 * as after a power cut. `damaged`: any other error.
 */
export function readLog(bytes: Buffer): LogContent | undefined {
  const lines = linesOf(bytes)
  const first = lines.next()
  const header = first.done ? undefined : parsed(logHeader, first.value.text)
  if (first.done || !header) return undefined
  const records: LogRecord[] = []
  let length = first.value.end
  for (const { text, end } of lines) {
    const record = parsed(logRecord, text)
    if (!record || record.seq !== header.firstSeq + records.length) return { header, records, length, end: 'damaged' }
    records.push(record)
    length = end
  }
  return { header, records, length, end: length === bytes.length ? 'whole' : 'torn' }
}

const logHeader = z.object({ logId: z.uuid(), firstSeq: z.int().min(1), lost: z.int().min(0) })
/** `lost`: the number of lost records that one record in this segment replaces. */
export type LogHeader = z.output<typeof logHeader>

type LogContent = { header: LogHeader; records: LogRecord[]; length: number; end: 'whole' | 'torn' | 'damaged' }

const logRecord = z.object({ seq: z.int().min(1), body: z.unknown() })

function* linesOf(bytes: Buffer) {
  let start = 0
  for (let feed = bytes.indexOf(10); feed >= 0; feed = bytes.indexOf(10, start)) {
    yield { text: bytes.toString('utf8', start, feed), end: feed + 1 }
    start = feed + 1
  }
}

function parsed<S extends z.ZodType>(schema: S, line: string): z.output<S> | undefined {
  const json = line.slice(9)
  if (json === '' || line.slice(0, 9) !== `${checksum(json)} `) return undefined
  return schema.safeParse(JSON.parse(json)).data
}

function checksum(json: string) {
  return crc32(json).toString(16).padStart(8, '0')
}

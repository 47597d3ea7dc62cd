import { readFile } from 'node:fs/promises'
import { Database } from '../apps/server/src/database/database.ts'
import type { Logins } from '../apps/server/src/database/logins.ts'
import { storedRecords } from '../apps/server/src/ingest/stored-records.ts'

type Verdict = { counts: Record<string, number>; violations: string[] }
type KillTestVerdictInput = { logins: Logins; journal: string }

/** Compares the events that the units wrote, and those acknowledged to them, with the events that the server has stored. */
export async function killTestVerdict({ logins, journal }: KillTestVerdictInput): Promise<Verdict> {
  const database = new Database({ logins, connections: 2 })
  try {
    return compareRecords({ stored: await storedRecords(database), journal: await readFile(journal, 'utf8') })
  } finally {
    await database.close()
  }
}

export type StoredRecord = Awaited<ReturnType<typeof storedRecords>>[number]

export function compareRecords({ stored, journal }: { stored: StoredRecord[]; journal: string }): Verdict {
  const { durable, acknowledged } = readJournal(journal)
  const storedKeys = new Set(stored.map(({ log, seq }) => `${log} ${seq}`))

  const violations: string[] = []
  const lost = [...durable].filter((key) => !storedKeys.has(key))
  violations.push(...lost.map((key) => `written by the unit, but not stored: ${key}`))
  const forgotten = acknowledged.filter((key) => !storedKeys.has(key))
  violations.push(...forgotten.map((key) => `acknowledged, but not stored: ${key}`))
  const twice = stored.length - storedKeys.size
  if (twice > 0) violations.push(`${twice} records are stored twice`)

  const logs = Map.groupBy(stored, ({ log }) => log)
  const disorder = [...logs].flatMap(([log, records]) => outOfOrder(log, records))
  violations.push(...disorder, ...[...logs].flatMap(([log, records]) => wrongMark(log, records)))

  return {
    counts: {
      units: new Set(stored.map(({ unit }) => unit)).size,
      logs: logs.size,
      'records written durably by the units': durable.size,
      'records acknowledged to the units': acknowledged.length,
      'records stored by the server': stored.length,
      'acknowledged minus stored': forgotten.length,
      'written minus stored': lost.length,
      'stored twice': twice,
      'out of order': disorder.length,
    },
    violations,
  }
}

function outOfOrder(log: string, records: StoredRecord[]): string[] {
  return records.flatMap((record, index) => {
    const before = records[index - 1]
    const isNext = record.seq === (before?.seq ?? 0) + 1
    const isLater = !before || (before.event < record.event && before.occurredAt <= record.occurredAt)
    return isNext && isLater ? [] : [`${log}: record ${record.seq} does not follow ${before?.seq ?? 'the beginning'}`]
  })
}

function wrongMark(log: string, records: StoredRecord[]): string[] {
  const last = records.at(-1)
  if (!last || last.mark === last.seq) return []
  return [`${log}: the acknowledged sequence is ${last.mark}, the last record ${last.seq}`]
}

function readJournal(journal: string) {
  const durable = new Set<string>()
  const upTo = new Map<string, number>()
  // A kill may have cut the last line, so the next process has continued on the same line.
  const line = /(durable|acknowledged) \S+ ([0-9a-f-]{36}) (\d+)$/
  for (const text of journal.split('\n')) {
    const [, what, log, seq] = line.exec(text) ?? []
    if (log === undefined || seq === undefined) continue
    if (what === 'durable') durable.add(`${log} ${seq}`)
    else upTo.set(log, Math.max(upTo.get(log) ?? 0, Number(seq)))
  }
  const acknowledged = [...upTo].flatMap(([log, last]) => Array.from({ length: last }, (_, at) => `${log} ${at + 1}`))
  return { durable, acknowledged }
}

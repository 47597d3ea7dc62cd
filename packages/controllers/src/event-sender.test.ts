import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UnitRecord } from '@portcullis/contract/unit-protocol/records'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DurableLog } from './durable-log.ts'
import type { Batch } from './log-lines.ts'
import { EventSender } from './event-sender.ts'

let dir: string
let log: DurableLog
let sender: EventSender
/** The frames that the server has not acknowledged, in the order in which they were sent. */
let sent: Batch[]
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'event-sender-'))
  await open()
})
afterEach(async () => {
  await log.close()
  await rm(dir, { recursive: true })
})

async function open() {
  log = await DurableLog.open({ dir, gapBody: (gap) => gap, maxBytes: () => 64 * 1024 * 1024 })
  sender = new EventSender({ log, acknowledged: () => {} })
  sent = []
  sender.onBatch = (batch) => sent.push(batch)
}

const at = '2026-03-01T09:00:00.000Z'
const opened = (door: number): UnitRecord => ({ type: 'door', at, configVersion: 1, door, what: 'opened' })

const record = (count: number, door: number) =>
  Promise.all(Array.from({ length: count }, () => sender.record(opened(door))))

/** The server stores the next frame and acknowledges it. */
function acknowledgeNext() {
  const batch = sent.shift()
  if (!batch) throw new Error('no frame was sent')
  sender.acknowledged({ logId: batch.logId, upTo: batch.records.at(-1)?.seq ?? 0 })
  return batch
}

/** The server acknowledges all frames; returns all records in the order of their arrival. */
function acknowledgeAll() {
  const stored: { key: string; body: unknown }[] = []
  while (sent.length > 0) {
    const { logId, records } = acknowledgeNext()
    for (const { seq, body } of records) stored.push({ key: `${logId} ${seq}`, body })
  }
  return stored
}

test('100,000 records of an outage are delivered, each once and in order, and a live record passes them', async () => {
  await record(100_000, 1)
  sender.begin()
  await record(1, 2)
  const stored = acknowledgeAll()
  expect(stored).toHaveLength(100_001)
  expect(new Set(stored.map(({ key }) => key)).size).toBe(100_001)
  // Only the frames that were on their way before it, of 500 records each.
  const live = stored.findIndex(({ body }) => JSON.stringify(body) === JSON.stringify(opened(2)))
  expect(live).toBeLessThanOrEqual(1_500)
  const backlog = stored.toSpliced(live, 1).map(({ key }) => key.split(' '))
  expect(new Set(backlog.map(([logId]) => logId)).size).toBe(1)
  expect(backlog.map(([, seq]) => Number(seq))).toEqual(Array.from({ length: 100_000 }, (_, index) => index + 1))
  expect(log.size).toBe(0)
})

test('live records pass a backlog in a log of their own, numbered from 1', async () => {
  await record(5_000, 1)
  sender.begin()
  expect(sent).toHaveLength(3)
  await record(2, 2)
  const live = sent.slice(3)
  expect(live.flatMap(({ records }) => records)).toEqual([
    { seq: 1, body: opened(2) },
    { seq: 2, body: opened(2) },
  ])
  expect(live[0]?.logId).not.toBe(sent[0]?.logId)
})

test('the acknowledgement of live records deletes only these', async () => {
  await record(5_000, 1)
  sender.begin()
  await record(1, 2)
  const live = sent.pop()
  sender.acknowledged({ logId: live?.logId ?? '', upTo: 1 })
  expect(log.size).toBe(5_000)
  expect(acknowledgeAll()).toHaveLength(5_000)
  expect(log.size).toBe(0)
})

test('after a restart or another outage, the unacknowledged records of both lanes are sent again', async () => {
  await record(5_000, 1)
  sender.begin()
  await record(3, 2)
  await log.close()

  await open()
  expect(log.size).toBe(5_003)
  sender.begin()
  await record(1, 3)
  const stored = acknowledgeAll()
  expect(new Set(stored.map(({ key }) => key)).size).toBe(5_004)
  const logs = [...new Set(stored.map(({ key }) => key.split(' ')[0]))]
  expect(logs).toHaveLength(2)
  // All live records pass the backlog, also those of the connection before.
  for (const door of [2, 3])
    expect(
      stored.findLastIndex(({ body }) => JSON.stringify(body) === JSON.stringify(opened(door))),
    ).toBeLessThanOrEqual(1_504)
})

test('a short backlog is sent first, in the same log', async () => {
  await record(500, 1)
  sender.begin()
  await record(1, 2)
  const stored = acknowledgeAll()
  expect(stored.at(-1)?.body).toEqual(opened(2))
  expect(new Set(stored.map(({ key }) => key.split(' ')[0])).size).toBe(1)
})

test('one record reports the records that a full log has lost, and is sent before the others', async () => {
  await log.close()
  await rm(dir, { recursive: true })
  log = await DurableLog.open({ dir, gapBody: (gap) => gap, maxBytes: () => 16_000 })
  sender = new EventSender({ log, acknowledged: () => {} })
  sender.onBatch = (batch) => sent.push(batch)
  for (let count = 0; count < 300; count++) await sender.record(opened(1))
  sender.begin()
  const [first, ...others] = sent.flatMap(({ records }) => records)
  expect(first?.body).toEqual({ why: 'full', records: first?.seq })
  expect(others.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 300 - (first?.seq ?? 0) }, (_, index) => (first?.seq ?? 0) + 1 + index),
  )
})

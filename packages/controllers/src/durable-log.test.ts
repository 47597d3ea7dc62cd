import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DurableLog, type DurableLogOptions, type LogGap } from './durable-log.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'durable-log-'))
})
afterEach(() => rm(dir, { recursive: true }))

const open = (options: Partial<DurableLogOptions> = {}) =>
  DurableLog.open({ dir, gapBody: (gap: LogGap) => ({ gap }), ...options })
const everything = { lane: 'live' as const, after: undefined, records: 100_000, bytes: 100_000_000 }

async function contentOf(options: Partial<DurableLogOptions> = {}) {
  const log = await open(options)
  const batch = log.next(everything)
  await log.close()
  return batch
}

test('records come back in order after a restart, until they are acknowledged', async () => {
  const log = await open()
  const seqs = await Promise.all(['a', 'b', 'c'].map((body) => log.append(body)))
  expect(seqs).toEqual([1, 2, 3])
  await log.close()

  const again = await open()
  const batch = again.next(everything)
  expect(batch?.records).toEqual([
    { seq: 1, body: 'a' },
    { seq: 2, body: 'b' },
    { seq: 3, body: 'c' },
  ])
  expect(again.acknowledge(batch?.logId ?? '', 2)).toBe(2)
  expect(await again.append('d')).toBe(4)
  expect(again.next(everything)).toEqual({
    logId: batch?.logId,
    records: [
      { seq: 3, body: 'c' },
      { seq: 4, body: 'd' },
    ],
  })
  await again.close()
})

test('a log cut off at any byte keeps the complete records before the cut, and continues after them', async () => {
  const log = await open()
  for (const body of ['first', { second: 2 }, 'dritter – ü', 4]) await log.append(body)
  await log.close()
  const [name = ''] = await readdir(dir)
  const path = join(dir, name)
  const bytes = await readFile(path)
  const ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1)
  const logId = (await contentOf())?.logId

  for (let cut = 0; cut <= bytes.length; cut++) {
    await writeFile(path, bytes.subarray(0, cut))
    const whole = ends.filter((end) => end <= cut).length - 1
    const cutLog = await open()
    const seq = await cutLog.append('after')
    const batch = cutLog.next(everything)
    await cutLog.close()
    if (whole < 0) {
      expect(batch?.logId).not.toBe(logId)
      expect(batch?.records.map(({ body }) => body)).toEqual([{ gap: { why: 'unreadable' } }, 'after'])
    } else {
      expect(batch?.logId).toBe(logId)
      expect(seq).toBe(whole + 1)
      expect(batch?.records.map((record) => record.seq)).toEqual(Array.from({ length: whole + 1 }, (_, at) => at + 1))
    }
    for (const leftover of await readdir(dir)) await rm(join(dir, leftover))
  }
})

test('a changed byte never changes a record and never lets a number be used twice', async () => {
  const log = await open()
  const bodies = ['one', 'two', 'three', 'four', 'five']
  for (const body of bodies) await log.append(body)
  await log.close()
  const [name = ''] = await readdir(dir)
  const path = join(dir, name)
  const bytes = await readFile(path)
  const logId = (await contentOf())?.logId

  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      for (const leftover of await readdir(dir)) await rm(join(dir, leftover))
      const changed = Buffer.from(bytes)
      changed[at] = (bytes[at] ?? 0) ^ flip
      await writeFile(path, changed)
      const damaged = await open()
      await damaged.append('after')
      const first = damaged.next(everything)
      const isOld = first?.logId === logId
      const old = isOld ? (first?.records ?? []) : []
      const fresh = isOld
        ? damaged.next({ ...everything, after: { logId: logId ?? '', seq: old.at(-1)?.seq ?? 0 } })
        : first
      await damaged.close()
      // Only the very last line feed looks like a write that was never finished.
      const isTorn = at === bytes.length - 1
      const stored = old.filter(({ body }) => body !== 'after').map(({ body }) => body)
      expect(stored).toEqual(bodies.slice(0, stored.length))
      if (!isTorn) expect(fresh?.records.map(({ body }) => body)).toEqual([{ gap: { why: 'unreadable' } }, 'after'])
    }),
    { numRuns: 150 },
  )
})

test('acknowledged records are removed from the disk', async () => {
  const log = await open({ segmentBytes: 2_000 })
  for (let at = 0; at < 400; at++) await log.append({ at, text: 'x'.repeat(50) })
  expect((await readdir(dir)).length).toBeGreaterThan(10)
  log.acknowledge(log.next(everything)?.logId ?? '', 400)
  await log.append('last')
  await log.close()
  expect((await readdir(dir)).length).toBeLessThanOrEqual(2)
  const batch = await contentOf()
  expect(batch?.records.at(-1)).toEqual({ seq: 401, body: 'last' })
})

test('a full log replaces its oldest records with one record of their number', async () => {
  const log = await open({ maxBytes: () => 8_000 })
  for (let at = 1; at <= 500; at++) await log.append({ at })
  const batch = log.next(everything)
  await log.close()
  const [gap, ...rest] = batch?.records ?? []
  expect(gap?.body).toEqual({ gap: { why: 'full', records: gap?.seq } })
  expect(rest.map(({ body }) => body)).toEqual(rest.map(({ seq }) => ({ at: seq })))
  expect(rest.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 500 - (gap?.seq ?? 0) }, (_, at) => (gap?.seq ?? 0) + 1 + at),
  )
  const sizes = await Promise.all((await readdir(dir)).map(async (name) => (await stat(join(dir, name))).size))
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(8_000)
  expect(await contentOf({ maxBytes: () => 8_000 })).toEqual(batch)
})

test('records that arrive together are written together, and each is durable before it is offered', async () => {
  const durable: number[] = []
  const log = await open({ onDurable: (_, { seq }) => durable.push(seq) })
  const appended = Promise.all(Array.from({ length: 1_000 }, (_, at) => log.append(at)))
  expect(log.next(everything)).toBeUndefined()
  await appended
  expect(durable).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 1))
  expect(log.next({ ...everything, records: 500, bytes: 1_000_000 })?.records).toHaveLength(500)
  expect(log.next({ ...everything, records: 500, bytes: 100 })?.records.length).toBeLessThan(10)
  await log.close()
})

test('a power cut loses only records that were not durable', async () => {
  const log = await open()
  await log.append('kept')
  const lost = log.append('lost').catch((error: Error) => error.message)
  await log.abandon()
  expect(await lost).toBe('The power was cut.')
  expect((await contentOf())?.records).toEqual([{ seq: 1, body: 'kept' }])
})

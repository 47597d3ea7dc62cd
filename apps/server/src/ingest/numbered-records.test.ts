import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { numberedRecords } from './numbered-records.ts'

test('records are sorted and unique, and an unreadable one keeps its text', async () => {
  const readable = { type: 'unit', at: '2026-11-25T09:00:00.000Z', configVersion: null, what: 'power_on' }
  const read = await numberedRecords([
    { seq: 2, body: { type: 'nonsense' } },
    { seq: 1, body: readable },
    { seq: 1, body: readable },
  ])
  expect(read).toEqual([
    { seq: 1, record: readable },
    { seq: 2, record: undefined, raw: '{"type":"nonsense"}' },
  ])
})

test('other work runs while hundreds of large unreadable records are read', async () => {
  const body = Object.fromEntries(Array.from({ length: 2_000 }, (_, part) => [`part ${part}`, {}]))
  const records = Array.from({ length: 500 }, (_, seq) => ({ seq: seq + 1, body }))
  let [turns, isReading] = [0, true]
  const reading = numberedRecords(records).finally(() => {
    isReading = false
  })
  while (isReading) {
    turns += 1
    await setImmediate()
  }
  expect(await reading).toHaveLength(500)
  expect(turns).toBeGreaterThan(3)
})

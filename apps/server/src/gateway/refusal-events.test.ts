import { eventNote } from '@portcullis/contract/event-notes'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { UnitRefused } from '../ingest/refusal.ts'
import { startOwnServer } from '../test-server.ts'
import { RefusalEvents } from './refusal-events.ts'

const server = await startOwnServer()
afterAll(server.stop)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

test('refusals from a thousand networks are 60 events, and one with the number of the others', async () => {
  const events = new RefusalEvents(server.database)
  const refusal = new UnitRefused('bad_code')
  for (let network = 0; network < 1_000; network++) {
    await events.note({ refusal, address: `10.0.${network >> 8}.${network & 255}`, serial: undefined })
  }
  expect(await events.sum()).toBe(false)
  expect(await notes()).toHaveLength(60)
  vi.advanceTimersByTime(60_000)
  expect(await events.sum()).toBe(true)
  expect(await notes()).toHaveLength(61)
  expect((await notes()).filter(({ code }) => code === 'connections_refused')).toEqual([
    { code: 'connections_refused', count: 940 },
  ])
  expect(await events.note({ refusal, address: '10.9.0.1', serial: undefined })).toBe(true)
})

const noted = z.object({ note: eventNote })
const stored = sql`select event_data->'note' as note from event where event_type = 'unit.refused'`

async function notes() {
  return server.database.asSystem((tx) => tx.rows(noted, stored)).then((rows) => rows.map(({ note }) => note))
}

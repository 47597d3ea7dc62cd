import { units } from '@portcullis/contract/collections/units'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'
import { conditionColumns, followConditions, storedConditions } from './unit-conditions.ts'

const server = await startTestServer()
afterAll(server.stop)

async function newUnit() {
  const { _id: unit } = await makeItem({ ask: server.ask, collection: 'units' })
  const set = (values: Sql) =>
    server.database.asSystem((tx) => tx.run(sql`update unit_state set ${values} where unit_state_id = ${unit}`))
  return {
    set,
    /** Stores measurements, as a heartbeat does. */
    measure: (values: Sql) =>
      server.database.asSystem(async (tx) => {
        const query = sql`update unit_state set ${values} where unit_state_id = ${unit} returning ${conditionColumns}`
        const stored = await tx.first(storedConditions, query)
        if (stored) await followConditions(tx, stored)
      }),
    state: async () => units.entitySchema.parse((await server.ask('GET', `/api/units/${unit}`)).item),
    events: () =>
      server.database.asSystem((tx) =>
        tx.rows(
          z.object({ type: z.string(), severity: z.string(), note: z.unknown() }),
          sql`select event_type as type, event_severity as severity, event_data->'note' as note from event
               where event_unit = ${unit} order by event_id`,
        ),
      ),
    listedBy: async (field: string) => {
      const where = encodeURIComponent(JSON.stringify({ [field]: { exists: true } }))
      const { items } = await server.ask('GET', `/api/units?filter=${where}`)
      return items.some(({ _id }) => _id === unit)
    },
  }
}

test('a wrong clock is one event until it was right for five minutes, however often it changes', async () => {
  const { measure, set, state, events, listedBy } = await newUnit()
  await measure(sql`unit_state_clock_offset_ms = 60000`)
  expect(await state()).toMatchObject({ clockWrongSince: null })
  for (const offsetMs of [-90_000, 0, 90_000, 0]) await measure(sql`unit_state_clock_offset_ms = ${offsetMs}`)
  const { clockWrongSince } = await state()
  expect(clockWrongSince).not.toBeNull()
  expect(await listedBy('clockWrongSince')).toBe(true)
  const begun = { type: 'unit.clock_wrong', severity: 'warning', note: { code: 'clock_behind', seconds: 90 } }
  expect(await events()).toEqual([begun])

  await set(sql`unit_state_clock_wrong_seen_at = now() - interval '4 minutes'`)
  await measure(sql`unit_state_clock_offset_ms = 0`)
  expect(await state()).toMatchObject({ clockWrongSince })
  await set(sql`unit_state_clock_wrong_seen_at = now() - interval '6 minutes'`)
  for (const offsetMs of [0, 100]) await measure(sql`unit_state_clock_offset_ms = ${offsetMs}`)
  expect(await state()).toMatchObject({ clockWrongSince: null })
  expect(await listedBy('clockWrongSince')).toBe(false)
  expect(await events()).toEqual([begun, { type: 'unit.clock_right', severity: 'info', note: null }])
})

test('§3 capacity: a controller that needs to hold more than it can is an event, at its beginning and at its end', async () => {
  const { measure, set, state, events } = await newUnit()
  const capacity = { doors: 4, credentials: 100, schedules: 10, events: 1_000 }
  const size = { doors: 4, credentials: 100, schedules: 10 }
  await measure(sql`unit_state_config_size = ${JSON.stringify({ ...size, credentials: 101 })}::jsonb`)
  expect(await state()).toMatchObject({ capacityExceededSince: null })
  await measure(sql`unit_state_capacity = ${JSON.stringify(capacity)}::jsonb`)
  expect((await state()).capacityExceededSince).not.toBeNull()
  await measure(sql`unit_state_config_size = ${JSON.stringify(size)}::jsonb, unit_state_pending_events = 1500`)
  await set(sql`unit_state_capacity_exceeded_seen_at = now() - interval '6 minutes'`)
  await measure(sql`unit_state_pending_events = 1000`)
  expect(await state()).toMatchObject({ capacityExceededSince: null })
  expect(await events()).toEqual([
    {
      type: 'unit.capacity_exceeded',
      severity: 'warning',
      note: { code: 'capacity_exceeded', kind: 'credentials', used: 101, most: 100 },
    },
    { type: 'unit.capacity_restored', severity: 'info', note: null },
  ])
})

test('a controller is not reported as having room again while it is unknown how much it needs to hold', async () => {
  const { measure, set, state, events } = await newUnit()
  const [size, capacity] = [1, 0].map((doors) => JSON.stringify({ doors, credentials: 0, schedules: 0, events: 0 }))
  await measure(sql`unit_state_config_size = ${size}::jsonb, unit_state_capacity = ${capacity}::jsonb`)
  const { capacityExceededSince } = await state()
  expect(capacityExceededSince).not.toBeNull()
  await set(sql`unit_state_capacity_exceeded_seen_at = null`)
  await measure(sql`unit_state_config_size = null`)
  expect(await state()).toMatchObject({ capacityExceededSince })
  expect((await events()).map(({ type }) => type)).toEqual(['unit.capacity_exceeded'])
})

test('§3 capacity: the event names every kind that exceeds its capacity, the fullest first', async () => {
  const { measure, set, events } = await newUnit()
  const capacity = { doors: 4, credentials: 100, schedules: 10, events: 1_000 }
  const size = { doors: 6, credentials: 200, schedules: 10 }
  await set(sql`unit_state_capacity = ${JSON.stringify(capacity)}::jsonb`)
  await measure(sql`unit_state_config_size = ${JSON.stringify(size)}::jsonb`)
  const note = { code: 'capacity_exceeded', kind: 'credentials', used: 200, most: 100 }
  const others = [{ kind: 'doors', used: 6, most: 4 }]
  expect(await events()).toEqual([{ type: 'unit.capacity_exceeded', severity: 'warning', note: { ...note, others } }])
})

test('a controller is out of sync at once, and this is an event after a minute and when it ends', async () => {
  const { set, state, events } = await newUnit()
  const isMarked = async () => (await state()).outOfSyncSince !== null
  await set(sql`unit_state_desired_version = 2, unit_state_applied_version = 1`)
  await expect.poll(isMarked).toBe(true)
  await set(sql`unit_state_applied_version = 2`)
  await expect.poll(isMarked).toBe(false)
  expect(await events()).toEqual([])

  await set(sql`unit_state_fault = 'not_compiled'`)
  await expect.poll(isMarked).toBe(true)
  await set(sql`unit_state_out_of_sync_since = now() - interval '61 seconds'`)
  const begun = { type: 'unit.out_of_sync', severity: 'warning', note: null }
  await expect.poll(events).toEqual([begun])
  await set(sql`unit_state_fault = null`)
  await expect.poll(isMarked).toBe(false)
  expect(await events()).toEqual([begun, { type: 'unit.in_sync', severity: 'info', note: null }])
})

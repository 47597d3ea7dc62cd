import pino from 'pino'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type GatewayWorld, gatewayWorld, ids } from '../gateway/test-world.ts'
import { makeNoteModes, type ModeProgress } from './note-modes.ts'

const log = pino({ level: 'silent' })
const doors = [1, 2, 3, 4] as const

let world: GatewayWorld
beforeEach(async () => {
  world = await gatewayWorld()
  await world.run(sql`insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door, door_enabled,
      door_relock_after_seconds, door_held_open_after_seconds, door_directions)
    select gen_random_uuid(), door_account, 'Bay ' || number, door_site, door_unit, number, true, 5, 30, door_directions
      from door, generate_series(2, ${doors.length}) as number`)
  await world.run(sql`update door set door_mode = 'lockdown', door_mode_version = 3`)
})
afterEach(() => world.close())

const stateRow = z.object({ door: z.int(), applied: z.int(), isSent: z.boolean() })
const states = () =>
  world.rows(
    stateRow,
    sql`select door_unit_door as door, door_state_applied_mode_version as applied,
               door_state_mode_sent_at is not null as "isSent"
          from door join door_state on door_state_id = door_id order by door_unit_door`,
  )

const applied = (door: number, report: { version?: number; mode?: 'lockdown' | 'unlocked' } = {}): ModeProgress => {
  const { version = 3, mode } = report
  const stored = mode && { doorId: ids.door, mode, until: null }
  return { unit: ids.unit, applied: { door, version, ...(stored && { stored }) } }
}

test('the progress of many doors is stored in one transaction, and only the desired mode is confirmed', async () => {
  let transactions = 0
  const note = makeNoteModes({
    log,
    database: {
      asSystem(work) {
        transactions += 1
        return world.database.asSystem(work)
      },
    },
  })
  const first = note({ unit: ids.unit, sent: [1, 2, 3, 4] })
  const reports = [
    applied(1, { mode: 'lockdown' }),
    applied(2),
    applied(3, { version: 2 }),
    applied(1, { mode: 'unlocked' }),
  ]
  expect(await Promise.all([first, ...reports.map(note)])).toEqual([true, true, true, false, false])
  expect(transactions).toBe(2)
  expect(await states()).toEqual([
    { door: 1, applied: 3, isSent: true },
    { door: 2, applied: 3, isSent: true },
    { door: 3, applied: 0, isSent: true },
    { door: 4, applied: 0, isSent: true },
  ])
  const announced = sql`select change_item as item, count(*)::int as times from change
    where change_collection = 'doors' group by change_item order by times`
  const changes = await world.rows(z.object({ item: z.uuid(), times: z.int() }), announced)
  expect(changes.map(({ times }) => times)).toEqual([1, 1, 2, 2])
})

test('a door that is locked at the moment delays no other one', async () => {
  const note = makeNoteModes({ database: world.database, log })
  await world.database.asSystem(async (tx) => {
    await tx.run(sql`select from door_state where door_state_id = ${ids.door} for update`)
    const progress = [applied(1), applied(2), { unit: ids.unit, sent: [1] }, { unit: ids.unit, sent: [2] }]
    expect(await Promise.all(progress.map(note))).toEqual([false, true, false, true])
  })
  expect(await note(applied(1))).toBe(true)
})

test('what cannot be stored together is left to be stored alone', async () => {
  const note = makeNoteModes({
    database: { asSystem: () => Promise.reject(new Error('The connection was lost.')) },
    log,
  })
  expect(await note(applied(1))).toBe(false)
})

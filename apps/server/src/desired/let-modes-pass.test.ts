import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type GatewayWorld, gatewayWorld, ids } from '../gateway/test-world.ts'
import { fullPatience, letModesPass } from './let-modes-pass.ts'

let world: GatewayWorld
beforeEach(async () => {
  world = await gatewayWorld()
  await world.run(sql`insert into door (door_id, door_account, door_name, door_site, door_unit, door_unit_door, door_enabled,
      door_relock_after_seconds, door_held_open_after_seconds, door_directions)
    select gen_random_uuid(), door_account, 'Bay ' || number, door_site, door_unit, number, true, 5, 30, door_directions
      from door, generate_series(2, 120) as number`)
  await world.run(sql`update unit_state set unit_state_status = 'online'`)
  await world.run(sql`update door set door_mode = 'lockdown', door_mode_version = 1, door_mode_set_at = now()`)
})
afterEach(() => world.close())

async function pass() {
  const [row] = await world.rows(z.object({ root: z.int() }), sql`select account_root as root from account`)
  await world.database.asSystem((tx) => letModesPass(tx, { root: row?.root ?? -1, patience: fullPatience() }))
}

const confirm = (doors: number) =>
  world.run(sql`update door_state set door_state_applied_mode_version = 1 from door
    where door_state_id = door_id and door_unit_door <= ${doors}`)

test('configurations wait until most doors of a lockdown have confirmed it', async () => {
  const order: string[] = []
  const passed = pass().then(() => order.push('passed'))
  await confirm(10)
  await confirm(60)
  order.push('confirmed')
  await passed
  expect(order).toEqual(['confirmed', 'passed'])
})

test('they do not wait for controllers without a connection, nor for long', async () => {
  const begun = performance.now()
  await pass()
  expect(performance.now() - begun).toBeGreaterThan(2_000)
  await world.run(sql`update door set door_mode_version = 2, door_mode_set_at = now()`)
  await world.run(sql`update unit_state set unit_state_status = 'offline' where unit_state_id = ${ids.unit}`)
  const offline = performance.now()
  await pass()
  expect(performance.now() - offline).toBeLessThan(2_000)
})

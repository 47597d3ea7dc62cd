import { doorUnlockHours } from '@portcullis/contract/calls/door-unlock-hours'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { makeItem } from './collections/test-items.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

await makeItem({ ask: server.ask, collection: 'accounts', fields: { ref: 'branch' } })
const make = (collection: 'doors' | 'schedules' | 'units', fields = {}, { ask } = server) =>
  makeItem({ ask, collection, fields })

const allDay = [{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }]
const [unit, always, never] = [
  (await make('units'))._id,
  (await make('schedules', { windows: allDay }))._id,
  (await make('schedules', { windows: [] }))._id,
]
let number = 0
async function shop(fields = {}) {
  number += 1
  return (await make('doors', { unit, unitDoor: number, unlockSchedule: always, ...fields }))._id
}

const hoursOf = (ids: readonly string[]) => server.ask('GET', `/api/doors/unlockHours?ids=${ids.join(',')}`)
async function unlockedOf(ids: readonly string[]) {
  const { doors } = doorUnlockHours.output.parse((await hoursOf(ids)).json)
  return Object.fromEntries(doors.map(({ _id, isUnlocked }) => [_id, isUnlocked]))
}

test('shows which of several doors their schedules unlock now', async () => {
  const [open, closed, plain] = [
    await shop(),
    await shop({ unlockSchedule: never }),
    await shop({ unlockSchedule: null }),
  ]
  expect(await unlockedOf([open, closed, plain])).toEqual({ [open]: true, [closed]: false, [plain]: false })
})

test('a mode that a user has set overrides the schedule', async () => {
  const door = await shop()
  await server.ask('PUT', `/api/doors/${door}/mode`, { body: { mode: 'lockdown' } })
  expect(await unlockedOf([door])).toEqual({ [door]: false })
  await server.ask('PUT', `/api/doors/${door}/mode`, { body: { mode: 'normal' } })
  expect(await unlockedOf([door])).toEqual({ [door]: true })
})

test('leaves out doors that are out of scope, and takes at most 100 doors', async () => {
  const own = await shop()
  const below = (await make('doors', {}, { ...server, ask: server.in('branch') }))._id
  expect(await unlockedOf([own, below])).toEqual({ [own]: true })
  const statusOf = async (count: number) => (await hoursOf(Array.from({ length: count }, () => own))).status
  expect([await statusOf(100), await statusOf(101), await statusOf(0)]).toEqual([200, 400, 400])
})

test('a door without a controller, or without its number there, is not unlocked', async () => {
  const doors = [await shop({ unit: null, unitDoor: null }), await shop({ unitDoor: null })]
  expect(Object.values(await unlockedOf(doors))).toEqual([false, false])
})

test('is confirmed while the controller is online and in sync', async () => {
  const door = await shop()
  const set = (change: Sql) =>
    server.database.asSystem((tx) => tx.run(sql`update unit_state set ${change} where unit_state_id = ${unit}`))
  const isConfirmed = async () => doorUnlockHours.output.parse((await hoursOf([door])).json).doors[0]?.isConfirmed
  expect(await isConfirmed()).toBe(false)
  await set(sql`unit_state_status = 'online', unit_state_out_of_sync_since = null`)
  expect(await isConfirmed()).toBe(true)
  await set(sql`unit_state_out_of_sync_since = now()`)
  expect(await isConfirmed()).toBe(false)
})

import { afterAll, expect, test } from 'vitest'
import { makeItem } from '../collections/test-items.ts'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const make = (collection: 'doors' | 'interlockingGroups' | 'units', fields: Record<string, unknown> = {}) =>
  makeItem({ ask: server.ask, collection, fields })

const [unit, otherUnit] = [(await make('units'))._id, (await make('units'))._id]
let number = 0
const door = async (of: string | null) => {
  number += 1
  return (await make('doors', of === null ? {} : { unit: of, unitDoor: number }))._id
}

test('doors of one unit are interlocked, and doors of several', async () => {
  const doors = [await door(unit), await door(unit), await door(otherUnit)].toSorted()
  expect(await make('interlockingGroups', { doors })).toMatchObject({ doors })
})

test('doors without a unit are refused with 422, at creation and later', async () => {
  const doors = [await door(unit), await door(null)]
  const created = await server.ask('POST', '/api/interlockingGroups', { body: { name: 'x', doors } })
  const { _id } = await make('interlockingGroups', { doors: doors.slice(0, 1) })
  const patched = await server.ask('PATCH', `/api/interlockingGroups/${_id}`, { body: { doors } })
  for (const { status, error } of [created, patched]) {
    expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'interlock_without_unit', ['doors']])
  }
})

test('a door without a number on its unit is refused', async () => {
  const doors = [await door(unit), (await make('doors', { unit }))._id]
  const { status, error } = await server.ask('POST', '/api/interlockingGroups', { body: { name: 'x', doors } })
  expect([status, error.code]).toEqual([422, 'interlock_without_unit'])
})

test('an interlocked door keeps its wiring until it leaves the group', async () => {
  const doors = [await door(unit), await door(unit)]
  const group = await make('interlockingGroups', { doors })
  const target = `/api/doors/${doors[0]}`
  for (const body of [{ unit: otherUnit }, { unit: null }, { unitDoor: null }, { unitDoor: 64 }]) {
    const refused = await server.ask('PATCH', target, { body })
    expect([refused.status, refused.error.code]).toEqual([422, 'door_in_interlock'])
    expect(Object.keys(refused.error.fields)).toEqual(Object.keys(body))
  }
  expect((await server.ask('PATCH', target, { body: { unit, name: 'Renamed' } })).status).toBe(200)
  await server.ask('PATCH', `/api/interlockingGroups/${group._id}`, { body: { doors: doors.slice(1) } })
  expect((await server.ask('PATCH', target, { body: { unit: otherUnit } })).status).toBe(200)
})

test('a door with an unlock schedule joins no interlock, and an interlocked door gets none', async () => {
  const schedule = await makeItem({ ask: server.ask, collection: 'schedules' })
  const shop = await make('doors', { unit, unitDoor: 60, unlockSchedule: schedule._id })
  const created = await server.ask('POST', '/api/interlockingGroups', { body: { name: 'x', doors: [shop._id] } })
  const inner = await door(unit)
  const group = await make('interlockingGroups', { doors: [inner] })
  const joined = await server.ask('PATCH', `/api/interlockingGroups/${group._id}`, {
    body: { doors: [shop._id, inner] },
  })
  for (const { status, error } of [created, joined]) {
    expect([status, error.code, Object.keys(error.fields)]).toEqual([422, 'unlock_schedule_in_interlock', ['doors']])
  }
  const scheduled = await server.ask('PATCH', `/api/doors/${inner}`, { body: { unlockSchedule: schedule._id } })
  const { status, error } = scheduled
  expect([status, error.code, Object.keys(error.fields)]).toEqual([
    422,
    'unlock_schedule_in_interlock',
    ['unlockSchedule'],
  ])
  await server.ask('PATCH', `/api/doors/${shop._id}`, { body: { unlockSchedule: null } })
  const freed = await server.ask('PATCH', `/api/interlockingGroups/${group._id}`, {
    body: { doors: [shop._id, inner] },
  })
  expect(freed.status).toBe(200)
})

test('an interlocked door is not deleted while it is in a group', async () => {
  const doors = [await door(unit)]
  const group = await make('interlockingGroups', { doors })
  const refused = await server.ask('DELETE', `/api/doors/${doors[0]}`)
  expect([refused.status, refused.error.code]).toEqual([422, 'used_by_others'])
  expect(refused.error.message).toBe('Used by 1 interlock. Remove those references first.')
  const where = [{ kind: 'Door', id: doors[0] }]
  const rule = await makeItem({ ask: server.ask, collection: 'rules', fields: { where } })
  const both = await server.ask('DELETE', `/api/doors/${doors[0]}`)
  expect(both.error.message).toBe('Used by 1 interlock and 1 access rule. Remove those references first.')
  await server.ask('DELETE', `/api/rules/${rule._id}`)
  await server.ask('DELETE', `/api/interlockingGroups/${group._id}`)
  expect((await server.ask('DELETE', `/api/doors/${doors[0]}`)).status).toBe(204)
})

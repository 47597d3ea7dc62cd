import { units } from '@portcullis/contract/collections/units'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { startUnit, wiredDoor } from './tasks/test-door.ts'
import { startOwnServer } from './test-server.ts'

const server = await startOwnServer()
afterAll(server.stop)
const { ask } = server

const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000 })
const stateOf = async (unit: string) => units.entitySchema.parse((await ask('GET', `/api/units/${unit}`)).item)
const eventRow = z.object({ type: z.string(), severity: z.string() })

/** The stored events of these types, the oldest first. */
async function eventsOf(unit: string, types: readonly string[]) {
  const filter = encodeURIComponent(JSON.stringify({ unit, type: { in: types } }))
  const { items } = await ask('GET', `/api/events?filter=${filter}`)
  return z.array(eventRow).parse(items).toReversed()
}

test('tampering and battery operation of a controller are states and events, also after a restart and an outage', async () => {
  const wired = await wiredDoor(ask)
  const { unit } = wired
  const controller = await startUnit(server, wired)
  await soon(async () => expect(await stateOf(unit)).toMatchObject({ status: 'online', tamperedSince: null }))
  await controller.setFaults({ tampered: true, onBattery: true })
  const { tamperedSince, onBatterySince } = await soon(async () => {
    const state = await stateOf(unit)
    expect(state.tamperedSince).not.toBeNull()
    expect(state.onBatterySince).not.toBeNull()
    return state
  })
  await controller.powerCut()
  await soon(() => expect(controller.state().running).toMatchObject({ isOnline: true, pendingEvents: 0 }))
  expect(await stateOf(unit)).toMatchObject({ tamperedSince, onBatterySince })

  await controller.setFaults({ offline: true })
  await soon(async () => expect(await stateOf(unit)).toMatchObject({ status: 'offline', tamperedSince }))
  await controller.setFaults({ tampered: false, onBattery: false })
  await controller.setFaults({ offline: false })
  await soon(async () =>
    expect(await stateOf(unit)).toMatchObject({ status: 'online', tamperedSince: null, onBatterySince: null }),
  )
  await soon(async () =>
    expect(await eventsOf(unit, ['unit.tamper', 'unit.tamper_ended', 'unit.on_battery', 'unit.on_mains'])).toEqual([
      { type: 'unit.tamper', severity: 'alarm' },
      { type: 'unit.on_battery', severity: 'warning' },
      { type: 'unit.tamper_ended', severity: 'info' },
      { type: 'unit.on_mains', severity: 'info' },
    ]),
  )
})

test('a controller with a wrong clock and too little memory shows both, each with one event', async () => {
  const wired = await wiredDoor(ask)
  const { unit } = wired
  const controller = await startUnit(server, { ...wired, faults: { maxDoors: 0, maxCredentials: 0 } })
  await controller.setFaults({ clockOffsetMs: 3_600_000 })
  for (let time = 0; time < 2; time++) {
    await controller.powerCut()
    await soon(() => expect(controller.state().running).toMatchObject({ isOnline: true, pendingEvents: 0 }))
  }
  await soon(async () => {
    const { clockWrongSince, capacityExceededSince, appliedVersion, outOfSyncSince } = await stateOf(unit)
    expect([clockWrongSince, capacityExceededSince, appliedVersion]).not.toContain(null)
    // What fits is applied.
    expect(outOfSyncSince).toBeNull()
  })
  expect(await eventsOf(unit, ['unit.clock_wrong', 'unit.capacity_exceeded'])).toHaveLength(2)
})

import { leftOut } from '@portcullis/contract/calls/left-out'
import { doors } from '@portcullis/contract/collections/doors'
import { replaceUnit } from '@portcullis/contract/calls/units'
import { units } from '@portcullis/contract/collections/units'
import { VirtualUnit } from '@portcullis/controllers/virtual-unit'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeItem } from './collections/test-items.ts'
import { startUnit, wiredDoor } from './tasks/test-door.ts'
import { startTestServer } from './test-server.ts'

const server = await startTestServer()
afterAll(server.stop)
const { ask } = server

const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000 })
const replace = (unit: string, serial: string) => ask('POST', `/api/units/${unit}/replace`, { body: { serial } })
const stateOf = async (unit: string) => units.entitySchema.parse((await ask('GET', `/api/units/${unit}`)).item)

/** A controller with a door that a user's card opens. */
async function openDoor(number: string) {
  const wired = await wiredDoor(ask)
  const user = (await makeItem({ ask, collection: 'users' }))._id
  await makeItem({ ask, collection: 'credentials', fields: { kind: 'card', number, user } })
  const rule = { who: [{ kind: 'User', id: user }], where: [{ kind: 'Door', id: wired.door }] }
  await makeItem({ ask, collection: 'rules', fields: rule })
  return wired
}

test('§7 a new controller takes over doors, configuration and history, and the old one is refused', async () => {
  const { unit, door, serial } = await openDoor('NEW-1')
  const old = await startUnit(server, { unit, serial })
  const card = { door: 1, number: 'NEW-1', kind: 'card', direction: 'entry' } as const
  await soon(async () => expect(await old.present(card)).toMatchObject({ verdict: 'grant' }))
  const filter = encodeURIComponent(JSON.stringify({ unit, type: 'access.granted' }))
  const grants = async () => (await ask('GET', `/api/events?filter=${filter}`)).json
  await soon(async () => expect(await grants()).toMatchObject({ page: { totalElements: 1 } }))
  const { code } = replaceUnit.output.parse((await replace(unit, 'PC-NEW-1')).json)
  await soon(async () =>
    expect(await stateOf(unit)).toMatchObject({ status: 'offline', serial: 'PC-NEW-1', enrolledAt: null }),
  )

  const dir = await mkdtemp(join(tmpdir(), 'portcullis-unit-'))
  const next = new VirtualUnit({ dir, serial: 'PC-NEW-1', url: `${server.url.replace('http', 'ws')}/units` })
  onTestFinished(async () => {
    await next.stop()
    await rm(dir, { recursive: true, force: true })
  })
  await next.start()
  await next.enrol(code)
  await soon(async () => expect(await next.present(card)).toMatchObject({ verdict: 'grant' }))
  expect(doors.entitySchema.parse((await ask('GET', `/api/doors/${door}`)).item)).toMatchObject({ unit, unitDoor: 1 })
  await soon(async () => {
    const { desiredVersion, ...state } = await stateOf(unit)
    expect(state).toMatchObject({ status: 'online', appliedVersion: desiredVersion })
  })
  await soon(async () => expect(await grants()).toMatchObject({ page: { totalElements: 2 } }))
})

test('a replacement with a taken or unreadable serial changes nothing', async () => {
  const { unit, serial } = await wiredDoor(ask)
  const other = await makeItem({ ask, collection: 'units', fields: { name: 'Front controller' } })
  const taken = await replace(unit, String(other['serial']))
  expect([taken.status, taken.error.message]).toEqual([409, 'This serial is already taken by Front controller.'])
  expect((await replace(unit, 'not a serial')).error.fields).toHaveProperty('serial')
  // The controller would lose its key.
  expect((await replace(unit, serial.toLowerCase())).error.fields).toHaveProperty('serial')
  expect(await stateOf(unit)).toMatchObject({ serial, version: 1 })
})

test('the audit log records the old and the new serial, and the enrolment code', async () => {
  const { unit, serial } = await wiredDoor(ask)
  await replace(unit, 'PC-NEW-2')
  const filter = encodeURIComponent(JSON.stringify({ item: unit, action: 'patch' }))
  const { json } = await ask('GET', `/api/auditLogs?filter=${filter}`)
  const isTime: unknown = expect.stringContaining('T')
  expect(json).toMatchObject({
    items: [{ after: { enrolmentCodeUntil: isTime } }, { before: { serial }, after: { serial: 'PC-NEW-2' } }],
  })
})

test('a replacement forgets what the earlier hardware has reported', async () => {
  const { unit, serial } = await wiredDoor(ask)
  const old = await startUnit(server, { unit, serial, faults: { maxCredentials: 9 } })
  await soon(async () => expect((await stateOf(unit)).capacity).toMatchObject({ credentials: 9 }))
  await soon(async () => expect(await stateOf(unit)).toMatchObject({ appliedVersion: 1 }))
  await old.stop()
  await replace(unit, 'PC-NEW-4')
  expect(await stateOf(unit)).toMatchObject({
    desiredVersion: null,
    capacity: null,
    firmware: null,
    address: null,
    lastHeartbeatAt: null,
    pendingEvents: null,
  })
})

test('new hardware gets a configuration of its own, even if it has the content of the earlier one', async () => {
  const { unit, serial } = await wiredDoor(ask)
  const old = await startUnit(server, { unit, serial })
  await soon(async () => expect(await stateOf(unit)).toMatchObject({ appliedVersion: 1 }))
  await old.stop()
  await replace(unit, 'PC-NEW-3')
  await startUnit(server, { unit, serial: 'PC-NEW-3' })
  await soon(async () =>
    expect(await stateOf(unit)).toMatchObject({ desiredVersion: 2, appliedVersion: 2, rejection: null }),
  )
})

test('the conditions of the replaced hardware end with it', async () => {
  const { unit, serial } = await wiredDoor(ask)
  const old = await startUnit(server, { unit, serial, faults: { maxDoors: 0 } })
  await old.setFaults({ tampered: true, onBattery: true })
  await soon(async () => {
    const { tamperedSince, onBatterySince, capacityExceededSince } = await stateOf(unit)
    expect([tamperedSince, onBatterySince, capacityExceededSince]).not.toContain(null)
  })
  await old.stop()
  await replace(unit, 'PC-NEW-5')
  const ended = { tamperedSince: null, onBatterySince: null, capacityExceededSince: null, clockWrongSince: null }
  expect(await stateOf(unit)).toMatchObject(ended)
  const types = ['unit.tamper_ended', 'unit.on_mains', 'unit.capacity_restored', 'unit.clock_right']
  const filter = encodeURIComponent(JSON.stringify({ unit, type: { in: types } }))
  const { items } = await ask('GET', `/api/events?filter=${filter}`)
  expect(new Set(items.map(({ type }) => type))).toEqual(new Set(types.slice(0, 3)))
  expect(items).toHaveLength(3)
  expect(leftOut.output.parse((await ask('GET', `/api/units/${unit}/leftOut`)).json).doors).toEqual([])
})

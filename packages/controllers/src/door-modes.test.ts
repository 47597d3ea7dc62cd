import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UnitHolder } from '@portcullis/domain/configuration/unit-config'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { doorIds, type ScriptedServer, scriptedServer } from './scripted-server.ts'
import { card, config, door, pace } from './test-configuration.ts'
import { VirtualUnit } from './virtual-unit.ts'

let dir: string
let server: ScriptedServer
let unit: VirtualUnit
const reports: string[] = []
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'door-modes-'))
  server = await scriptedServer()
  reports.length = 0
  unit = new VirtualUnit({ dir, serial: 'PC-1', url: server.url, pace, report: (sentence) => reports.push(sentence) })
  await unit.start()
  await unit.enrol('code')
  await vi.waitUntil(() => unit.state().running?.isOnline, patient)
  await configure(doorIds[0], 1)
})
afterEach(async () => {
  await unit.stop()
  await server.close()
  await rm(dir, { recursive: true })
})

const patient = { timeout: 20_000 }
const soon = (check: () => void) => vi.waitFor(check, patient)
const lock = () => unit.state().running?.doors.find(({ number }) => number === 1)?.lock
const confirmed = () => server.receivedOf('doorModeApplied').map(({ version }) => version)
const until = new Date(Date.now() + 3_600_000).toISOString()

/** Door 1 is this door. */
async function configure(doorId: string, version: number) {
  server.configure({ ...config, doors: { 1: { ...door, _id: doorId } } }, version)
  await vi.waitUntil(() => unit.state().running?.appliedVersion === version, patient)
}

async function holdUnlocked(version: number) {
  server.send(server.doorMode({ mode: 'unlocked', until, version }))
  await soon(() => expect(lock()).toBe('unlocked'))
}

test('a hold ends when the configuration names another door at its number, and begins again with its own door', async () => {
  await holdUnlocked(1)
  await configure(doorIds[1], 2)
  await soon(() => expect(lock()).toBe('locked'))
  expect(reports).toContain('door 1 locks again: it was held unlocked for another door, which had this number before')
  await configure(doorIds[0], 3)
  await soon(() => expect(lock()).toBe('unlocked'))
})

test('a hold waits for the configuration that names its door, and is confirmed when it applies', async () => {
  server.send(server.doorMode({ doorId: doorIds[1], mode: 'unlocked', until, version: 1 }))
  server.send(server.doorMode({ door: 2, doorId: null, mode: 'normal' }))
  await soon(() => expect(server.receivedOf('doorModeApplied')).toMatchObject([{ door: 2 }]))
  expect(lock()).toBe('locked')
  await configure(doorIds[1], 2)
  await soon(() => expect(lock()).toBe('unlocked'))
  await soon(() => expect(confirmed()).toEqual([1, 1]))
})

test('a lockdown does not wait for the configuration that names its door', async () => {
  await holdUnlocked(1)
  server.send(server.doorMode({ doorId: doorIds[1], mode: 'lockdown', version: 2 }))
  await soon(() => expect(confirmed()).toEqual([1, 2]))
  expect(lock()).toBe('locked')
  expect(await unit.present(card)).toEqual({ verdict: 'deny', reason: 'door_locked_down' })
})

test('a recorded hold of a door that has left does not come back', async () => {
  const hold = server.doorMode({ mode: 'unlocked', until, version: 1 })
  server.send(hold)
  server.send(server.doorMode({ doorId: null, mode: 'normal', version: 2 }))
  server.send(hold)
  await soon(() => expect(confirmed()).toEqual([1, 2, 2]))
  expect(lock()).toBe('locked')
})

test('a mode whose signature does not cover its door is refused', async () => {
  const genuine = server.doorMode({ mode: 'unlocked', until })
  server.send({ ...genuine, doorSignature: '' })
  server.send({ ...genuine, doorSignature: genuine.signature })
  server.send({ ...genuine, doorId: doorIds[1] })
  await soon(() =>
    expect(reports.filter((report) => report.includes('a mode of door 1: it is not signed'))).toHaveLength(3),
  )
  expect(lock()).toBe('locked')
})

test.each([
  { mode: 'unlocked', reason: null, does: 'does not unlock' },
  { mode: 'lockdown', reason: 'door_locked_down', does: 'locks' },
])('a mode that an earlier version stored without its door $does: $mode', async ({ mode, reason }) => {
  await unit.stop()
  const stored = { 1: { version: 3, mode, until: null } }
  await writeFile(join(dir, 'door-modes.json'), JSON.stringify(stored))
  await unit.start()
  expect(lock()).toBe('locked')
  expect((await unit.present(card)).reason).toBe(reason)
  await soon(() => expect(server.receivedOf('hello').at(-1)?.doorModes).toEqual([{ door: 1, version: 3 }]))
  server.send(server.doorMode({ mode: 'unlocked', until, version: 3 }))
  await soon(() => expect(lock()).toBe('unlocked'))
})

test('a command opens no door that has taken the number of its own', async () => {
  await configure(doorIds[1], 2)
  server.send(server.command({}))
  await soon(() =>
    expect(server.receivedOf('commandResult')).toMatchObject([{ outcome: 'refused', detail: 'door_rewired' }]),
  )
  server.send(server.command({ doorId: doorIds[1] }))
  await soon(() => expect(server.receivedOf('commandResult').at(-1)).toMatchObject({ outcome: 'done' }))
})

const groups = ['01890000-0000-7000-8000-0000000000e1', '01890000-0000-7000-8000-0000000000e2'] as const

/** The user of the card belongs to these groups. Door 1 is this door. */
async function letInGroups(doorId: string = doorIds[0], version = 2) {
  const holders: [string, UnitHolder][] = Object.entries(config.holders).map(([key, own]) => [
    key,
    { ...own, access: [...own.access, ...groups] },
  ])
  const doors = { 1: { ...door, _id: doorId } }
  server.configure({ ...config, doors, holders: Object.fromEntries(holders) }, version)
  await vi.waitUntil(() => unit.state().running?.appliedVersion === version, patient)
}

test('during a lockdown, users pass whom each lockdown of the door lets pass', async () => {
  const decisions = async (mayPass: string[][] | undefined, version: number) => {
    server.send(server.doorMode({ mode: 'lockdown', version, ...(mayPass && { mayPass }) }))
    await soon(() => expect(confirmed().at(-1)).toBe(version))
    return (await unit.present(card)).reason
  }
  await letInGroups()
  const [guards, police] = groups
  const others = '01890000-0000-7000-8000-0000000000e3'
  expect(await decisions([[others, guards]], 1)).toBeNull()
  expect(await decisions([[guards], [police]], 2)).toBeNull()
  expect(await decisions([[guards], [others]], 3)).toBe('door_locked_down')
  expect(await decisions(undefined, 4)).toBe('door_locked_down')
})

test('without a valid signature over the exceptions, a lockdown lets no users pass', async () => {
  const frame = server.doorMode({ mode: 'lockdown', mayPass: [[groups[0]]] })
  await letInGroups()
  server.send({ ...frame, mayPassSignature: frame.doorSignature })
  await soon(() => expect(confirmed()).toEqual([1]))
  expect((await unit.present(card)).reason).toBe('door_locked_down')
  // A unit whose earlier firmware did not read them gets them with the next hello.
  server.send(frame)
  await soon(() => expect(confirmed()).toEqual([1, 1]))
  expect((await unit.present(card)).reason).toBeNull()
})

test('a lockdown whose door has left the number lets no users pass at the door that has taken it', async () => {
  await letInGroups()
  server.send(server.doorMode({ mode: 'lockdown', mayPass: [[groups[0]]] }))
  await soon(() => expect(confirmed()).toEqual([1]))
  expect((await unit.present(card)).reason).toBeNull()
  await letInGroups(doorIds[1], 3)
  expect((await unit.present(card)).reason).toBe('door_locked_down')
})

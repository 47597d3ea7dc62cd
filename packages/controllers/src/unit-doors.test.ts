import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UnitDoor } from '@portcullis/domain/configuration/unit-config'
import type { DoorMode } from '@portcullis/domain/policy'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DoorLeaf } from './simulated-door.ts'
import { config, door } from './test-configuration.ts'
import { UnitDoors } from './unit-doors.ts'
import { UnitStore } from './unit-store.ts'

let dir: string
let store: UnitStore
let doors: UnitDoors
let leaves: Map<number, DoorLeaf>
let modesBySchedule: string[]

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  dir = await mkdtemp(join(tmpdir(), 'unit-doors-'))
  store = await UnitStore.open({ dir, serial: 'PC-1' })
  interlock([1, 2])
  leaves = new Map()
  modesBySchedule = []
  doors = started()
})
afterEach(async () => {
  doors.stop()
  vi.useRealTimers()
  await rm(dir, { recursive: true })
})

/** The doors from power on. */
function started(openAfterMs = 1_000, now = () => Date.now()) {
  const pace = { openAfterMs, closeAfterMs: 3_000 }
  const unitDoors = new UnitDoors({
    pace,
    leaves,
    store,
    now,
    onChange: () => {},
    onSchedule: (number, mode) => modesBySchedule.push(`${number} ${mode}`),
    isOnline: () => true,
    send: () => {},
  })
  unitDoors.start()
  return unitDoors
}

/** Doors 1 to 3, of which these may not be open together. */
function interlock(numbers: number[]) {
  const interlocked = (number: number) => {
    const others = numbers.includes(number) ? numbers.filter((other) => other !== number) : []
    return { ...door, _id: `door ${number}`, ...(others.length > 0 ? { interlock: others } : {}) }
  }
  const configured = { 1: interlocked(1), 2: interlocked(2), 3: interlocked(3) }
  store.applied = { version: 1, policyVersion: 1, hash: '', config: { ...config, doors: configured } }
}

function setMode(number: number, mode: DoorMode) {
  const stored = { doorId: `door ${number}`, version: 1, mode, until: null }
  store.doorModes = { ...store.doorModes, [number]: stored }
  doors.obeyMode(number)
}

const unlocked = () => doors.state().flatMap(({ number, lock }) => (lock === 'unlocked' ? [number] : []))

test('a command opens no door while another door of its interlock is open, or may be opened', () => {
  expect(doors.obstacleAt(1)).toBeUndefined()
  doors.operate({ door: 2, what: 'held' })
  expect(doors.obstacleAt(1)).toBe('interlock')
  doors.unlock(1)
  expect(unlocked()).toEqual([])
  doors.operate({ door: 2, what: 'closed' })
  doors.unlock(2)
  expect([doors.obstacleAt(1), doors.obstacleAt(2), doors.obstacleAt(3)]).toEqual(['interlock', undefined, undefined])
})

test('a mode unlocks only one door of an interlock, and the next when that one is locked and closed', () => {
  setMode(1, 'unlocked')
  setMode(2, 'unlocked')
  setMode(3, 'unlocked')
  expect(unlocked()).toEqual([1, 3])
  doors.operate({ door: 1, what: 'held' })
  setMode(1, 'normal')
  expect(unlocked()).toEqual([3])
  doors.operate({ door: 1, what: 'closed' })
  expect(unlocked()).toEqual([2, 3])
})

test('a mode unlocks a door as soon as the mode of the other ends', () => {
  setMode(1, 'unlocked')
  setMode(2, 'unlocked')
  setMode(1, 'normal')
  expect(unlocked()).toEqual([2])
})

test('a mode unlocks a door when the lock of the other is locked again, although it was not opened', () => {
  doors = started(60_000)
  doors.unlock(2)
  setMode(1, 'unlocked')
  vi.advanceTimersByTime(4_999)
  expect(unlocked()).toEqual([2])
  vi.advanceTimersByTime(1)
  expect(unlocked()).toEqual([1])
})

test('request to exit always opens, and locks what a mode has unlocked until the door is closed', () => {
  setMode(1, 'unlocked')
  doors.operate({ door: 2, what: 'exit' })
  expect(unlocked()).toEqual([2])
  vi.advanceTimersByTime(1_000)
  expect(doors.isOpen(2)).toBe(true)
  expect(unlocked()).toEqual([2])
  vi.advanceTimersByTime(3_000)
  expect([doors.isOpen(2), unlocked()]).toEqual([false, [1]])
})

test('a hold begins when a configuration ends the interlock', () => {
  setMode(1, 'unlocked')
  setMode(2, 'unlocked')
  interlock([])
  doors.obeyModes()
  expect(unlocked()).toEqual([1, 2])
})

test('after a power cut the contacts are read first: a door that stands open keeps the other locked', () => {
  setMode(1, 'unlocked')
  doors.operate({ door: 2, what: 'forced' })
  doors.stop()
  doors = started()
  expect(doors.obstacleAt(1)).toBe('interlock')
  expect(unlocked()).toEqual([])
  doors.operate({ door: 2, what: 'closed' })
  expect(unlocked()).toEqual([1])
})

test('a hold ends in time, even if the clock reaches its end while the controller computes', async () => {
  const until = Date.now() + 60_000
  let millisecond = until - 1
  doors = started(1_000, () => millisecond++)
  const stored = { doorId: 'door 1', version: 1, mode: 'unlocked' as const, until: new Date(until).toISOString() }
  store.doorModes = { 1: stored }
  doors.obeyMode(1)
  expect(unlocked()).toEqual([1])
  await vi.advanceTimersByTimeAsync(1)
  expect(unlocked()).toEqual([])
})

/** Door 1 stands unlocked from 08:00 to 18:00 UTC on weekdays, except holidays. It is a Friday. */
function openShop(change: Partial<UnitDoor> = {}) {
  const windows = [1, 2, 3, 4, 5].map((day) => ({ day, from: 8 * 60, until: 18 * 60 }))
  const holidayHours = { public: 'closed', company: 'closed', special: 'closed' } as const
  const shop = { ...door, _id: 'door 1', unlockSchedule: 'hours', ...change }
  const configured = { ...config, doors: { 1: shop }, schedules: { hours: { windows, holidayHours } } }
  store.applied = { version: 2, policyVersion: 2, hash: '', config: configured }
}

/** Switches the unit on at a time of that day. */
function startAt(time: string) {
  doors.stop()
  vi.setSystemTime(`2026-11-20T${time}Z`)
  doors = started()
}

const advanceTo = (time: string) => vi.advanceTimersByTime(Date.parse(`2026-11-20T${time}Z`) - Date.now())

test('a door stands unlocked from the start of its schedule to its end, by itself', () => {
  openShop()
  startAt('07:00:00')
  advanceTo('07:59:59.999')
  expect(unlocked()).toEqual([])
  advanceTo('08:00:00')
  expect(unlocked()).toEqual([1])
  advanceTo('17:59:59.999')
  expect(unlocked()).toEqual([1])
  advanceTo('18:00:00')
  expect([unlocked(), modesBySchedule]).toEqual([[], ['1 unlocked', '1 normal']])
})

test('a unit that is switched on during the hours of a schedule unlocks its door, and locks it at their end', () => {
  openShop()
  startAt('12:00:00')
  expect(unlocked()).toEqual([1])
  startAt('17:00:00')
  expect(unlocked()).toEqual([1])
  advanceTo('18:00:00')
  expect(unlocked()).toEqual([])
  startAt('19:00:00')
  expect(unlocked()).toEqual([])
})

test('a schedule is obeyed within a minute after the clock of the unit was set', () => {
  openShop()
  startAt('07:00:00')
  vi.setSystemTime('2026-11-20T17:30:00Z')
  vi.advanceTimersByTime(60_000)
  expect(unlocked()).toEqual([1])
  vi.setSystemTime('2026-11-20T07:00:00Z')
  vi.advanceTimersByTime(60_000)
  expect(unlocked()).toEqual([])
})

test('a lockdown locks a door during the hours of its schedule, and its end unlocks it again', () => {
  openShop()
  startAt('12:00:00')
  setMode(1, 'lockdown')
  expect(unlocked()).toEqual([])
  setMode(1, 'normal')
  expect([unlocked(), doors.isScheduled(1)]).toEqual([[1], true])
  expect(modesBySchedule).toEqual([])
})

test('a hold continues until its own end, and then the schedule of the door decides', () => {
  openShop()
  startAt('07:00:00')
  const until = '2026-11-20T09:00:00.000Z'
  store.doorModes = { 1: { doorId: 'door 1', version: 1, mode: 'unlocked', until } }
  doors.obeyMode(1)
  advanceTo('08:30:00')
  expect([unlocked(), doors.isScheduled(1)]).toEqual([[1], false])
  advanceTo('09:00:00')
  expect([unlocked(), doors.isScheduled(1)]).toEqual([[1], true])
})

test('a configuration with another unlock schedule applies at once', () => {
  startAt('12:00:00')
  openShop()
  expect(doors.obeyModes()).toEqual([{ door: 1, isHeld: true, isBySchedule: true }])
  expect(unlocked()).toEqual([1])
  store.applied = {
    version: 3,
    policyVersion: 3,
    hash: '',
    config: { ...config, doors: { 1: { ...door, _id: 'door 1' } } },
  }
  expect(doors.obeyModes()).toEqual([{ door: 1, isHeld: false, isBySchedule: true }])
  expect(unlocked()).toEqual([])
})

test('a schedule that the configuration does not contain unlocks nothing', () => {
  openShop({ unlockSchedule: 'gone' })
  startAt('12:00:00')
  expect(unlocked()).toEqual([])
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { UnitArea } from '@portcullis/domain/configuration/unit-config'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { config, door } from './test-configuration.ts'
import { UnitMemoryFile } from './unit-memory.ts'

const area = '01890000-0000-7000-8000-0000000000b1'
const ann = '01890000-0000-7000-8000-0000000000a1'
const ben = '01890000-0000-7000-8000-0000000000a2'
const nine = Date.parse('2026-03-01T09:00:00Z')
const minute = 60_000
const after = (minutes: number) => new Date(nine + minutes * minute).toISOString()

let dir: string
let memory: UnitMemoryFile
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'unit-memory-'))
  memory = await open()
  memory.obey({ areas: areas() })
})
afterEach(async () => {
  await memory.flushed()
  await rm(dir, { recursive: true })
})

const open = () => UnitMemoryFile.open({ dir, report: () => {} })
const areas = (forgiven: Partial<UnitArea> = {}) => ({
  [area]: { kind: 'hard', minutes: 1, forgivenAllAt: null, forgivenAt: {}, ...forgiven } as const,
})
const known = (user = ann) => memory.with(new Set()).passages[area]?.[user]

type Passed = { user?: string; minutes: number; direction?: 'entry' | 'exit' | null; clockAheadMs?: number }

/** The user has passed a door of another unit, this number of minutes after nine. */
function learn({ user = ann, minutes, direction = 'entry', clockAheadMs = 0 }: Passed, marks: Partial<UnitArea> = {}) {
  const passages = [{ area, user, direction, at: after(minutes) }]
  memory.learn({ passages, upTo: after(minutes), clockAheadMs }, { areas: areas(marks) })
}

/** The user has passed the door of this unit. */
function pass(minutes: number, direction: 'entry' | 'exit') {
  const at = nine + minutes * minute
  const here = { ...config, doors: { 1: { ...door, areas: [area] } } }
  memory.granted(1, { user: ann, direction, isFirst: false, at, until: at + 1_000 })
  memory.opened(1, { config: here, at })
}

test('of passages at this and at other units, the latest is known, in any order and however often it comes', () => {
  learn({ minutes: 5, direction: 'entry' })
  learn({ minutes: 3, direction: 'exit' })
  expect(known()).toMatchObject({ direction: 'entry', at: nine + 5 * minute })
  pass(7, 'exit')
  learn({ minutes: 5, direction: 'entry' })
  expect(known()).toMatchObject({ direction: 'exit', at: nine + 7 * minute })
  learn({ minutes: 8, direction: null })
  learn({ minutes: 5, direction: 'entry' })
  expect(known()).toMatchObject({ direction: null })
})

test('a passage at another unit is compared by the clock of this one', () => {
  pass(7, 'exit')
  learn({ minutes: 5, direction: 'entry', clockAheadMs: 3 * minute })
  expect(known()).toMatchObject({ direction: 'entry', at: nine + 8 * minute })
})

test('forgiving forgets passages at other units before it, and keeps those after it', () => {
  learn({ user: ann, minutes: 5 })
  learn({ user: ben, minutes: 15 })
  memory.obey({ areas: areas({ forgivenAllAt: after(10) }) })
  expect([known(ann), known(ben)]).toEqual([undefined, expect.objectContaining({ direction: 'entry' })])
  memory.obey({ areas: areas({ forgivenAllAt: after(10), forgivenAt: { [ben]: after(20) } }) })
  expect(known(ben)).toBeUndefined()
})

test('forgiving forgets every passage at this unit, whatever its clock', () => {
  pass(60, 'entry')
  memory.obey({ areas: areas({ forgivenAllAt: after(10) }) })
  expect(known()).toBeUndefined()
})

test('a forgiven passage at another unit that comes late changes nothing', () => {
  learn({ minutes: 5 }, { forgivenAllAt: after(10) })
  learn({ minutes: 5 }, { forgivenAt: { [ann]: after(10) } })
  expect(known()).toBeUndefined()
})

test('a new unit forgets the passages that were forgiven before its first configuration', () => {
  memory.obey({})
  learn({ user: ann, minutes: 5 })
  learn({ user: ben, minutes: 15 })
  memory.obey({ areas: areas({ forgivenAllAt: after(10) }) })
  expect([known(ann), known(ben)]).toEqual([undefined, expect.objectContaining({ direction: 'entry' })])
})

test('a passage in an area that the next configuration brings is kept, and one in an area that it takes away is not', () => {
  memory.obey({})
  learn({ minutes: 5 })
  memory.obey({ areas: areas() })
  expect(known()).toMatchObject({ direction: 'entry' })
  memory.obey({})
  expect(known()).toBeUndefined()
})

test('passages at other units survive a power cut, with how far the server has sent them', async () => {
  learn({ minutes: 5 })
  learn({ user: ben, minutes: 3 })
  await memory.flushed()
  memory = await open()
  expect(known()).toMatchObject({ direction: 'entry' })
  expect(memory.onDisk.passagesUpTo).toBe(after(5))
})

test('a unit blocks the newest credentials only, as many as its hello can name', async () => {
  const ids = Array.from({ length: limits.blockedCredentials + 1 }, (_, at) => `card ${at}`)
  memory.block({ block: ids.slice(0, -1), unblock: [] })
  memory.block({ block: ids.slice(0, 1), unblock: [] })
  memory.block({ block: ids.slice(-1), unblock: ['card 5'] })
  memory.block({ block: ['last'], unblock: [] })
  await memory.flushed()
  const blocked = ids.slice(2).filter((id) => id !== 'card 5')
  blocked.splice(-1, 0, 'card 0')
  expect((await open()).blocked).toEqual(['card 1', ...blocked, 'last'].slice(-limits.blockedCredentials))
})

test('five wrong PINs in a row lock a PIN for 15 minutes', () => {
  for (let times = 0; times < 5; times += 1) memory.wrongPin(ann, nine)
  const isLocked = (minutes: number, key = ann) => memory.isPinLocked(key, nine + minutes * minute)
  expect([isLocked(0), isLocked(14), isLocked(15)]).toEqual([true, true, false])
  expect(isLocked(0, ben)).toBe(false)
})

test('a first person opens the day by entering, and not by leaving', () => {
  const opened = { ...config, doors: { 1: { ...door, firstPerson: true } } }
  memory.passed(opened, 1, { user: ann, direction: 'exit', isFirst: true, at: nine })
  expect(memory.with(new Set()).firstPersonAt).toEqual({})
  memory.passed(opened, 1, { user: ann, direction: 'entry', isFirst: true, at: nine })
  expect(memory.with(new Set()).firstPersonAt).toEqual({ [door._id]: nine })
})

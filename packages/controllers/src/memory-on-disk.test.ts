import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { config, door } from './test-configuration.ts'
import { UnitMemoryFile } from './unit-memory.ts'

const area = '01890000-0000-7000-8000-0000000000b1'
const noon = Date.parse('2026-03-01T12:00:00Z')
const minute = 60_000
const inArea = { ...config, doors: { 1: { ...door, areas: [area] } } }
const entry = { user: 'ann', direction: 'entry', isFirst: false, at: noon } as const

let dir: string
const reports: string[] = []
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'unit-memory-'))
  reports.length = 0
})
afterEach(() => {
  vi.useRealTimers()
  return rm(dir, { recursive: true })
})

const open = () => UnitMemoryFile.open({ dir, report: (sentence) => reports.push(sentence), at: noon })
const file = () => join(dir, 'memory.json')

test('a power cut loses only changes that are not on the disk', async () => {
  const memory = await open()
  memory.passed(inArea, 1, entry)
  await memory.flushed()
  memory.wrongPin('ann', noon)
  memory.passed(inArea, 1, { ...entry, direction: 'exit' })
  await memory.abandon()
  const after = await open()
  expect(after.with(new Set()).passages).toEqual({ [area]: { ann: { direction: 'entry', at: noon } } })
  expect(reports).toEqual([])
})

test('what the disk refuses is reported once, written again until it is stored, and not reported as stored before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isBroken = true
  const beforeWrite = () => {
    if (isBroken) throw new Error('The disk refuses to write.')
  }
  const memory = await UnitMemoryFile.open({ dir, report: (sentence) => reports.push(sentence), beforeWrite, at: noon })
  memory.block({ block: ['card'], unblock: [] })
  for (let times = 0; times < 5; times += 1) memory.wrongPin('ann', noon)
  await memory.flushed()
  vi.advanceTimersByTime(5_000)
  await memory.flushed()
  expect(reports).toEqual(['memory not stored, will retry every 5 s: The disk refuses to write.'])
  expect({ blocked: memory.blocked, stored: memory.onDisk.blocked }).toEqual({ blocked: ['card'], stored: [] })
  isBroken = false
  vi.advanceTimersByTime(5_000)
  await memory.flushed()
  expect(memory.onDisk.blocked).toEqual(['card'])
  expect(vi.getTimerCount()).toBe(0)
  const after = await open()
  expect([after.blocked, after.isPinLocked('ann', noon)]).toEqual([['card'], true])
})

test('a unit that is switched off writes no more, after a last attempt', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const beforeWrite = vi.fn<() => void>(() => {
    throw new Error('The disk refuses to write.')
  })
  const memory = await UnitMemoryFile.open({ dir, report: () => {}, beforeWrite, at: noon })
  memory.wrongPin('ann', noon)
  await memory.flushed()
  await memory.close()
  expect([beforeWrite.mock.calls.length, vi.getTimerCount()]).toEqual([2, 0])
})

test('a grant whose door has not opened does not survive a power cut', async () => {
  const memory = await open()
  memory.granted(1, { ...entry, until: noon + 5_000 })
  expect(memory.with(new Set()).granted).toMatchObject([{ user: 'ann', door: 1 }])
  await memory.abandon()
  expect((await open()).with(new Set()).granted).toEqual([])
})

test('a unit without a file locks no PIN', async () => {
  expect((await open()).isPinLocked('ann', noon)).toBe(false)
  expect(reports).toEqual([])
})

test.each([
  { file: 'has torn content', damage: () => writeFile(file(), '{"passages":') },
  { file: 'has other content', damage: () => writeFile(file(), '{"wrongPins":5}') },
  { file: 'cannot be read', damage: () => mkdir(file()) },
])(
  'a file that $file is reported, and locks all PINs for 15 minutes, also through the next power cut',
  async (damaged) => {
    await damaged.damage()
    const memory = await open()
    expect(reports).toMatchObject([/PINs are locked for 15 minutes/])
    const isLocked = (at: number, of = memory) => [of.isPinLocked('ann', at), of.isPinLocked('door 1', at)]
    expect(isLocked(noon + 14 * minute)).toEqual([true, true])
    expect(isLocked(noon + 15 * minute)).toEqual([false, false])
    if (damaged.file === 'cannot be read') return
    memory.passed(inArea, 1, entry)
    await memory.flushed()
    expect(isLocked(noon + 14 * minute, await open())).toEqual([true, true])
  },
)

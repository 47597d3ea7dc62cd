import { limits, type UnitFrame } from '@portcullis/contract/unit-protocol/frames'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SharedInterlocks } from './shared-interlocks.ts'

const sent: UnitFrame[] = []
/** Of doors 1 to 3, those that share an interlock with doors of other units. */
let shared: Set<number>
const open = new Set<number>()
let isOnline = true
let interlocks: SharedInterlocks

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  sent.length = 0
  shared = new Set([1, 2])
  open.clear()
  isOnline = true
  interlocks = new SharedInterlocks({
    doors: () => [1, 2, 3],
    isShared: (door) => shared.has(door),
    isSecure: (door) => !open.has(door),
    isOnline: () => isOnline,
    send: (frame) => sent.push(frame),
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const requests = () => sent.flatMap((frame) => (frame.type === 'interlockRequest' ? [frame.id] : []))
const reports = () => sent.flatMap((frame) => (frame.type === 'interlockState' ? [frame.doors] : []))
const secure = (door: number) => ({ door, isSecure: true })
const released = (door: number) => ({ door, isSecure: false })

/** Opens the door if the server lets it. */
const openIfClear = (door: number) =>
  interlocks.ask(door, (outcome) => {
    if (outcome === 'clear') open.add(door)
    interlocks.changed()
    return outcome
  })

test('a door is released by the answer of the server, and reported as released after it', async () => {
  const outcome = openIfClear(1)
  interlocks.answered({ id: requests()[0] ?? '', outcome: 'clear' })
  expect(await outcome).toBe('clear')
  expect(reports()).toEqual([[released(1), secure(2)]])
})

test('a door that the server does not let the unit release is reported as secure again', async () => {
  const outcome = openIfClear(1)
  interlocks.answered({ id: requests()[0] ?? '', outcome: 'open' })
  expect(await outcome).toBe('violated')
  expect(reports()).toEqual([[secure(1), secure(2)]])
})

test('a door without a shared interlock asks no one', async () => {
  expect(await openIfClear(3)).toBe('not_asked')
  expect(requests()).toEqual([])
})

test('without an answer in time the door stays locked, and a late answer does not release it', async () => {
  const outcome = openIfClear(1)
  vi.advanceTimersByTime(limits.interlockMs)
  expect(await outcome).toBe('unavailable')
  interlocks.answered({ id: requests()[0] ?? '', outcome: 'clear' })
  expect(open.size).toBe(0)
  expect(reports()).toEqual([[secure(1), secure(2)]])
})

test('without a connection the door stays locked at once, also for those who wait for an answer', async () => {
  const outcome = openIfClear(1)
  isOnline = false
  interlocks.disconnected()
  expect(await outcome).toBe('unavailable')
  expect(await openIfClear(2)).toBe('unavailable')
  expect(requests()).toHaveLength(1)
  expect(reports()).toEqual([])
})

test('a door that no longer shares an interlock is reported as not secure at once, also while it waits for an answer', () => {
  interlocks.report()
  void openIfClear(1)
  shared.delete(1)
  interlocks.changed()
  expect(reports().at(-1)).toEqual([released(1)])
})

test('a door that waits for an answer is not reported until then: a report would end the hold of the server', async () => {
  const outcome = openIfClear(1)
  open.add(2)
  interlocks.changed()
  interlocks.report()
  expect(reports()).toEqual([[released(2)], [released(2)]])
  interlocks.answered({ id: requests()[0] ?? '', outcome: 'clear' })
  await outcome
  expect(reports().at(-1)).toEqual([released(1)])
})

test('only doors that have changed are reported, and all of them on request', () => {
  interlocks.report()
  interlocks.changed()
  open.add(1)
  interlocks.changed()
  interlocks.changed()
  interlocks.report()
  expect(reports()).toEqual([[secure(1), secure(2)], [released(1)], [released(1), secure(2)]])
})

test('a door that no longer shares an interlock is reported as not secure, once', () => {
  interlocks.report()
  shared.delete(1)
  interlocks.changed()
  interlocks.report()
  expect(reports()).toEqual([[secure(1), secure(2)], [released(1)], [secure(2)]])
})

test('where the server does not know the other doors, the door stays locked for another reason than an open door', async () => {
  const outcome = openIfClear(1)
  interlocks.answered({ id: requests()[0] ?? '', outcome: 'unknown' })
  expect(await outcome).toBe('unavailable')
})

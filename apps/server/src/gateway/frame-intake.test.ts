import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FrameIntake } from './frame-intake.ts'

let isPaused: boolean
let throttled: number
let intake: FrameIntake
beforeEach(() => {
  vi.useFakeTimers()
  isPaused = false
  throttled = 0
  const socket = { pause: () => void (isPaused = true), resume: () => void (isPaused = false) }
  intake = new FrameIntake(socket, () => throttled++)
})
afterEach(() => {
  vi.useRealTimers()
})

function receive(frames: number, { records = 1, bytes = 200 } = {}) {
  for (let frame = 0; frame < frames; frame++) {
    intake.arrived(bytes)
    intake.countRecords(records)
    intake.processed()
  }
}

test('frames that wait pause the socket until all of them are processed', () => {
  for (let frame = 0; frame < 17; frame++) intake.arrived(200)
  expect([isPaused, throttled]).toEqual([true, 0])
  for (let frame = 0; frame < 16; frame++) intake.processed()
  expect(isPaused).toBe(true)
  intake.processed()
  expect(isPaused).toBe(false)
})

test('a unit that sends 1,000 frames at once is not paused, and one that sends more is paused for a second', () => {
  receive(1_000)
  expect([isPaused, throttled]).toEqual([false, 0])
  receive(1)
  expect([isPaused, throttled]).toEqual([true, 1])
  vi.advanceTimersByTime(1_000)
  expect(isPaused).toBe(false)
})

test('a unit that keeps sending is held to 100 frames a second', () => {
  receive(1_000)
  let received = 0
  for (let second = 0; second < 60; second++) {
    while (!isPaused) {
      receive(1)
      received++
    }
    vi.advanceTimersByTime(1_000)
  }
  expect(received).toBeGreaterThan(5_900)
  expect(received).toBeLessThan(6_100)
})

/** How many frames a unit can send that always has more of them. */
function framesWithin(seconds: number, size: { records?: number; bytes?: number }) {
  let frames = 0
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    for (; !isPaused; frames++) receive(1, size)
    vi.advanceTimersByTime(100)
  }
  return frames
}

test.each([
  { name: 'records', full: { records: 500 } },
  { name: 'bytes', full: { bytes: 256 * 1024 } },
])('a unit that sends full frames, by $name, sends six a second for a minute, and then one', ({ full }) => {
  const inFirstMinute = framesWithin(60, full)
  expect(inFirstMinute).toBeGreaterThan(350)
  expect(inFirstMinute).toBeLessThan(390)
  framesWithin(60, full)
  const inThirdMinute = framesWithin(60, full)
  expect(inThirdMinute).toBeGreaterThan(55)
  expect(inThirdMinute).toBeLessThan(65)
})

test('a log of 10,000 records after an outage is never throttled', () => {
  receive(20, { records: 500 })
  expect([isPaused, throttled]).toEqual([false, 0])
})

test('frames that arrived before a pause make it longer, but shorter than three heartbeats', () => {
  framesWithin(120, { records: 500 })
  for (let frame = 0; frame < 16; frame++) intake.arrived(200)
  for (let frame = 0; frame < 16; frame++) intake.countRecords(500)
  for (let frame = 0; frame < 16; frame++) intake.processed()
  vi.advanceTimersByTime(10_000)
  expect(isPaused).toBe(true)
  vi.advanceTimersByTime(10_000)
  expect(isPaused).toBe(false)
})

test('a flood is reported once a minute', () => {
  framesWithin(150, { records: 500 })
  expect(throttled).toBe(3)
})

test('100 frames a second are never throttled', () => {
  for (let tenth = 0; tenth < 600; tenth++) {
    receive(10)
    vi.advanceTimersByTime(100)
  }
  expect(throttled).toBe(0)
})

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

function receive(frames: number) {
  for (let frame = 0; frame < frames; frame++) {
    intake.arrived()
    intake.processed()
  }
}

test('frames that wait pause the socket until all of them are processed', () => {
  for (let frame = 0; frame < 17; frame++) intake.arrived()
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

test('100 frames a second are never throttled', () => {
  for (let tenth = 0; tenth < 600; tenth++) {
    receive(10)
    vi.advanceTimersByTime(100)
  }
  expect(throttled).toBe(0)
})

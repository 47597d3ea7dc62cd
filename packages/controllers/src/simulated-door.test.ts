import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type DoorChange, humanPace, SimulatedDoor } from './simulated-door.ts'

const settings = { relockAfterSeconds: 5, heldOpenAfterSeconds: 10 }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function newDoor() {
  const changes: DoorChange[] = []
  return { happened: changes, door: new SimulatedDoor({ pace: humanPace, onChange: (what) => changes.push(what) }) }
}

test('a second card at the open door does not keep it open, and does not open it twice', () => {
  const { door, happened: changes } = newDoor()
  door.unlock(settings)
  vi.advanceTimersByTime(2_000)
  expect(door.position).toBe('open')
  door.unlock(settings)
  vi.advanceTimersByTime(60_000)
  expect(changes).toEqual(['opened', 'closed'])
  expect(door.lock).toBe('locked')
})

test('a card at a wedged door does not delay the alarm', () => {
  const { door, happened: changes } = newDoor()
  door.holdOpen(settings)
  vi.advanceTimersByTime(8_000)
  door.unlock(settings)
  vi.advanceTimersByTime(2_000)
  expect(changes).toEqual(['opened', 'held'])
  vi.advanceTimersByTime(3_000)
  expect(door.lock).toBe('locked')
})

test('a wedge under the door does not keep its lock unlocked', () => {
  const { door, happened: changes } = newDoor()
  door.unlock(settings)
  vi.advanceTimersByTime(2_000)
  door.holdOpen(settings)
  vi.advanceTimersByTime(10_000)
  expect(changes).toEqual(['opened', 'held'])
  expect(door.lock).toBe('locked')
})

test('two cards before the door has opened are one passage, unlocked for the time of the second', () => {
  const { door, happened: changes } = newDoor()
  door.unlock({ ...settings, relockAfterSeconds: 1 })
  vi.advanceTimersByTime(900)
  door.unlock(settings)
  vi.advanceTimersByTime(1_000)
  expect([door.position, door.lock]).toEqual(['open', 'unlocked'])
  vi.advanceTimersByTime(60_000)
  expect(changes).toEqual(['opened', 'closed'])
})

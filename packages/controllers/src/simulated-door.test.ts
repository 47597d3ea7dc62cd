import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { closedLeaf, type DoorChange, humanPace, SimulatedDoor } from './simulated-door.ts'

const settings = { relockAfterSeconds: 5, heldOpenAfterSeconds: 10 }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function newDoor(leaf = closedLeaf()) {
  const changes: DoorChange[] = []
  const onChange = (what: DoorChange) => changes.push(what)
  return { happened: changes, door: new SimulatedDoor({ pace: humanPace, leaf, onChange, onState: () => {} }) }
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

test.each([
  { who: 'a user in the door walks on', isWedged: false, later: ['closed'] },
  { who: 'a wedged door is held again', isWedged: true, later: ['held'] },
])('when the power returns, the contact shows the open door: $who', ({ isWedged, later }) => {
  const leaf = closedLeaf()
  const before = newDoor(leaf).door
  before.unlock(settings)
  vi.advanceTimersByTime(2_000)
  if (isWedged) before.holdOpen(settings)
  before.stop()
  vi.advanceTimersByTime(60_000)
  const { door, happened: changes } = newDoor(leaf)
  door.start(settings)
  expect([door.position, door.lock]).toEqual(['open', 'locked'])
  vi.advanceTimersByTime(60_000)
  expect(changes).toEqual(later)
})

import { expect, test } from 'vitest'
import { timeAt } from './day-scenes.ts'
import { firstRights } from './estate.ts'
import { changed, type RightsChange } from './rights-changes.ts'
import { RightsHistory } from './rights-history.ts'

const at = timeAt(6_000)
const [staff, door] = [4, 'a door']
const first = firstRights({ staff, visitorsUntil: [at + 60_000, at - 1] })
/** A change of version 7, and one of the door's mode of version 2. */
const attempt = { card: 0, unit: 0, door, at }
const before = { policy: 6, mode: 1 }
const since = { policy: 7, mode: 2 }

function historyWith(change: RightsChange) {
  const history = new RightsHistory({ first, staff })
  history.add(changed(first, change) ?? first).version = 7
  return history
}

test.each<RightsChange>([
  { kind: 'setUser', user: 0, status: 'suspended' },
  { kind: 'setCard', user: 0, status: 'suspended' },
  { kind: 'limitUser', user: 0, until: at },
  { kind: 'removeCard', user: 0 },
  { kind: 'leaveGroup', group: 0, user: 0 },
  { kind: 'setRule', rule: 0, isEnabled: false },
  { kind: 'removeRule', rule: 0 },
  { kind: 'setHours', start: '12:00', end: '20:00' },
  { kind: 'addHoliday' },
])('after $kind the door may open only until the unit has confirmed it', (change) => {
  const history = historyWith(change)
  expect(history.mayOpen(attempt, before)).toBe(true)
  expect(history.mayOpen(attempt, since)).toBe(false)
})

test('a unit may decide by a change that it has not confirmed yet', () => {
  const history = historyWith({ kind: 'setUser', user: 0, status: 'suspended' })
  history.add(first)
  expect(history.mayOpen(attempt, since)).toBe(true)
})

test('a blocked door may open until the unit has confirmed that, and from the end of the mode', () => {
  const history = new RightsHistory({ first, staff })
  history.addMode(door, { mode: 'blocked', until: at + 1_000 }).version = 2
  expect(history.mayOpen(attempt, before)).toBe(true)
  expect(history.mayOpen(attempt, since)).toBe(false)
  expect(history.mayOpen({ ...attempt, at: at + 1_000 }, since)).toBe(true)
})

test('visitors enter only the first site, until their cards expire', () => {
  const history = new RightsHistory({ first, staff })
  const [valid, expired] = [staff, staff + 1]
  expect(history.mayOpen({ ...attempt, card: valid }, since)).toBe(true)
  expect(history.mayOpen({ ...attempt, card: valid, unit: 1 }, since)).toBe(false)
  expect(history.mayOpen({ ...attempt, card: expired }, since)).toBe(false)
})

import { expect, test } from 'vitest'
import { fillingsOf, fullestOf } from './unit-capacity.ts'

const unit = {
  capacity: { doors: 8, credentials: 1_000, schedules: 20, events: 5_000 },
  configSize: { doors: 4, credentials: 120, schedules: 3 },
  pendingEvents: 0,
}
const statesOf = (changes: Partial<typeof unit>) =>
  fillingsOf({ ...unit, ...changes }).map(({ kind, state }) => `${kind} ${state}`)

test('§3 the use and the capacity of doors, credentials, schedules and events are shown', () => {
  expect(fillingsOf(unit)).toEqual([
    { kind: 'doors', used: 4, most: 8, state: 'fits' },
    { kind: 'credentials', used: 120, most: 1_000, state: 'fits' },
    { kind: 'schedules', used: 3, most: 20, state: 'fits' },
    { kind: 'events', used: 0, most: 5_000, state: 'fits' },
  ])
})

test('from nine tenths on it is nearly full, beyond its limit it is too much', () => {
  const at = (credentials: number) => statesOf({ configSize: { ...unit.configSize, credentials } })[1]
  expect([at(899), at(900), at(1_000), at(1_001)]).toEqual([
    'credentials fits',
    'credentials nearly_full',
    'credentials nearly_full',
    'credentials too_much',
  ])
})

test('the events that wait fill a controller too', () => {
  expect(statesOf({ pendingEvents: 4_700 })[3]).toBe('events nearly_full')
})

test('a controller that has not reported its capacity is neither full nor not full', () => {
  const fillings = fillingsOf({ ...unit, capacity: null })
  expect(fillings[1]).toEqual({ kind: 'credentials', used: 120, most: null, state: undefined })
  expect(fullestOf(fillings)).toBeUndefined()
})

test('a controller without a configuration or a reported capacity shows neither', () => {
  expect(fillingsOf({ capacity: null, configSize: null, pendingEvents: null })).toEqual([])
})

test('the fullest part is the one nearest to its limit, or furthest beyond it', () => {
  expect(fullestOf(fillingsOf(unit))?.kind).toBe('doors')
  const withNoSchedules = { ...unit, capacity: { ...unit.capacity, schedules: 0 } }
  expect(fullestOf(fillingsOf(withNoSchedules))?.kind).toBe('schedules')
})

import { expect, test } from 'vitest'
import { clockOf } from './clock-of.ts'

test.each([
  ['7', '07:00'],
  ['07', '07:00'],
  ['730', '07:30'],
  ['7.30', '07:30'],
  ['18:05', '18:05'],
  ['1805', '18:05'],
  ['24:00', '24:00'],
  ['14h30', '14:30'],
  ['1430', '14:30'],
  ['7 pm', '19:00'],
  ['2:30p', '14:30'],
  ['230a', '02:30'],
  ['7:30 a. m.', '07:30'],
  ['12 am', '00:00'],
  ['12:15 PM', '12:15'],
  ['13 pm', undefined],
  ['24:01', undefined],
  ['7:60', undefined],
  ['noon', undefined],
  ['', undefined],
])('a user who types %j means %s', (typed, clock) => {
  expect(clockOf(typed)).toBe(clock)
})

test.each([
  ['430', 'p', '16:30'],
  ['430', 'a', '04:30'],
  ['4', 'p', '16:00'],
  ['11.59', 'p', '23:59'],
  ['4:30 am', 'p', '04:30'],
  ['4:30p', 'a', '16:30'],
  ['1430', 'a', '14:30'],
  ['0430', 'p', '04:30'],
  ['12', 'p', '12:00'],
  ['12', 'a', '12:00'],
  ['0', 'p', '00:00'],
] as const)('on a 12-hour clock %j in the half %j is %s', (typed, half, clock) => {
  expect(clockOf(typed, half)).toBe(clock)
})

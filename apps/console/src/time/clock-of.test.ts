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
  ['7 pm', '19:00'],
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

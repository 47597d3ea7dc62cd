import { expect, test } from 'vitest'
import { numberRange, numberRangeValue } from './number-range.ts'

test.each([
  ['2..5', { from: 2, to: 5 }],
  ['2..', { from: 2 }],
  ['..5', { to: 5 }],
  ['7', { from: 7, to: 7 }],
  ['-3..0', { from: -3, to: 0 }],
])('%s is a range', (value, range) => {
  expect(numberRange(value)).toEqual(range)
  expect(numberRangeValue(range)).toBe(value)
})

test.each(['', '..', '5..2', '1.5', 'two', '1..2..3', '1e9'])('%s is not a range', (value) => {
  expect(numberRange(value)).toBeUndefined()
})

test('a range without ends is none', () => {
  expect(numberRangeValue({})).toBeUndefined()
})

import { expect, test } from 'vitest'
import { dateText, parseDate } from './parse-date.ts'

const now = new Date('2026-11-20T12:00:00Z')

test.each([
  ['20/11/2026', '2026-11-20'],
  ['20.11.2026', '2026-11-20'],
  ['20-11-26', '2026-11-20'],
  [' 3 / 2 / 2027 ', '2027-02-03'],
  ['2026-11-20', '2026-11-20'],
  ['20/11', '2026-11-20'],
  ['20 nov 2026', '2026-11-20'],
  ['20 November', '2026-11-20'],
  ['Nov 20, 2026', '2026-11-20'],
  ['29/2/2028', '2028-02-29'],
  ['2026/3/4', '2026-03-04'],
  ['Mar 3 feb 2027', '2027-02-03'],
  ['Fri 20 Nov 2026', '2026-11-20'],
])('a user who types %j means %s', (typed, date) => {
  expect(parseDate(typed, now)).toBe(date)
})

test.each([
  '',
  '20',
  '31/2/2026',
  '29/2/2027',
  '20/13/2026',
  '20/11/123',
  'tomorrow',
  '1/2/3/4',
  '20 foo 2026',
  '2026 11',
  '20/11/026',
  '20/11/1',
  '2026-11-20-1',
  '20 marching 2026',
])('%j is no date', (typed) => {
  expect(parseDate(typed, now)).toBeNull()
})

test('a date is written as the language does, and read back', () => {
  expect(dateText('2026-11-02')).toBe('02/11/2026')
  expect(parseDate(dateText('2026-11-02'), now)).toBe('2026-11-02')
  expect(dateText('')).toBe('')
})

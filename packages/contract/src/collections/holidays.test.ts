import { expect, test } from 'vitest'
import { holidays } from './holidays.ts'

function wrongIn(from: string, until: string, recurring: boolean) {
  const { error } = holidays.createSchema.safeParse({ name: 'X', kind: 'public', dates: [{ from, until, recurring }] })
  return error?.issues.map(({ message }) => message) ?? []
}

test('a holiday is one or more days, once or every year', () => {
  expect(wrongIn('2026-12-25', '2026-12-25', true)).toEqual([])
  expect(wrongIn('2026-12-31', '2027-01-01', true)).toEqual([])
  expect(wrongIn('1994-04-27', '1994-04-27', true)).toEqual([])
  expect(wrongIn('2026-01-01', '2028-12-31', false)).toEqual([])
})

test('its days are within the years 1900 to 2199', () => {
  const code = 'year_out_of_range'
  expect(wrongIn('0000-01-01', '9999-12-31', true)).toContain(code)
  expect(wrongIn('1899-12-31', '1900-01-01', false)).toEqual([code])
  expect(wrongIn('2199-12-31', '2200-01-01', false)).toEqual([code])
})

test('a recurring holiday is no longer than a year', () => {
  expect(wrongIn('2027-01-01', '2027-12-31', true)).toEqual([])
  expect(wrongIn('2028-01-01', '2028-12-31', true)).toEqual([])
  expect(wrongIn('2027-01-01', '2028-01-02', true)).toEqual(['yearly_too_long'])
})

test('a holiday does not end before it starts', () => {
  expect(wrongIn('2026-12-26', '2026-12-25', false)).toEqual(['ends_before_start'])
})

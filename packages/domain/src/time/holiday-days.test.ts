import { describe, expect, test } from 'vitest'
import { holidayDays } from './holiday-days.ts'
import { holiday } from '../sample-policy.ts'
import { dayMs } from './zone.ts'

const bounds = {
  fromDay: Date.parse('2026-01-01T00:00:00Z') / dayMs,
  untilDay: Date.parse('2029-01-01T00:00:00Z') / dayMs,
}

function datesOf(from: string, until: string, recurring: boolean): string[] {
  return Object.keys(holidayDays({ holidays: [holiday({ dates: [{ from, until, recurring }] })], ...bounds }))
}

describe('the days of a holiday', () => {
  test('include both its first and its last day', () => {
    expect(datesOf('2026-12-24', '2026-12-26', false)).toEqual(['2026-12-24', '2026-12-25', '2026-12-26'])
  })
  test('repeat every year if it recurs, from its first date on', () => {
    expect(datesOf('2027-12-25', '2027-12-25', true)).toEqual(['2027-12-25', '2028-12-25'])
    expect(datesOf('1999-12-25', '1999-12-25', true)).toEqual(['2026-12-25', '2027-12-25', '2028-12-25'])
  })
  test('cross New Year, also into the first days of the range', () => {
    expect(datesOf('2024-12-31', '2025-01-01', true)).toEqual([
      '2026-01-01',
      '2026-12-31',
      '2027-01-01',
      '2027-12-31',
      '2028-01-01',
      '2028-12-31',
    ])
  })
  test('leave out 29 February in years without it', () => {
    expect(datesOf('2024-02-29', '2024-02-29', true)).toEqual(['2028-02-29'])
    expect(datesOf('2024-02-29', '2024-03-01', true)).toEqual(['2026-03-01', '2027-03-01', '2028-02-29', '2028-03-01'])
    expect(datesOf('2024-02-28', '2024-02-29', true)).toEqual(['2026-02-28', '2027-02-28', '2028-02-28', '2028-02-29'])
  })
  test('are empty if it ends before it starts', () => {
    expect(datesOf('2026-05-02', '2026-05-01', false)).toEqual([])
  })
  test('are listed once where its ranges overlap, in any order', () => {
    const dates = [
      { from: '2026-05-03', until: '2026-05-05', recurring: false },
      { from: '2026-05-01', until: '2026-05-04', recurring: true },
      { from: '2026-05-02', until: '2026-05-02', recurring: false },
      { from: '2200-01-01', until: '2100-01-01', recurring: false },
    ]
    const days = holidayDays({ holidays: [holiday({ dates })], ...bounds })
    expect(Object.keys(days).filter((date) => date < '2027')).toEqual([
      '2026-05-01',
      '2026-05-02',
      '2026-05-03',
      '2026-05-04',
      '2026-05-05',
    ])
    expect(Object.values(days).every((found) => found.length === 1)).toBe(true)
  })
  test('list every holiday of the day once, in the order of their ids', () => {
    const day = { from: '2026-05-01', until: '2026-05-01', recurring: false }
    const holidays = [holiday({ _id: 'b', dates: [day, day] }), holiday({ _id: 'a', dates: [day] })]
    expect(holidayDays({ holidays, ...bounds })['2026-05-01']?.map(({ _id }) => _id)).toEqual(['a', 'b'])
  })
})

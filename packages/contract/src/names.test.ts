import { expect, test } from 'vitest'
import { timeZone } from './names.ts'

const isTaken = (zone: string) => timeZone().safeParse(zone).success

test('every zone that a picker offers is a time zone', () => {
  expect(['UTC', ...Intl.supportedValuesOf('timeZone')].filter((zone) => !isTaken(zone))).toEqual([])
})

test.each([
  'CST',
  'PST',
  'BST',
  'IST',
  'JST',
  'ACT',
  'AET',
  'SystemV/AST4',
  'US/Pacific-New',
  '+02:00',
  'Mars/Olympus',
])('what nobody can reckon with is none: %s', (zone) => {
  expect(isTaken(zone)).toBe(false)
})

test('a moment in a zone is none', () => {
  expect(isTaken('2026-01-01T00:00[Europe/Oslo]')).toBe(false)
})

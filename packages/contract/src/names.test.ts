import { expect, test } from 'vitest'
import { timeZone } from './names.ts'

const isTaken = (zone: string) => timeZone().safeParse(zone).success

test('every zone that a picker offers is accepted', () => {
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
])('an ambiguous, obsolete or unknown zone is refused: %s', (zone) => {
  expect(isTaken(zone)).toBe(false)
})

test('a time with a zone is refused', () => {
  expect(isTaken('2026-01-01T00:00[Europe/Oslo]')).toBe(false)
})

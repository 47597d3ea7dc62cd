import { doors } from '@portcullis/contract/collections/doors'
import { holidays } from '@portcullis/contract/collections/holidays'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { expect, test } from 'vitest'
import { changesOf, checkFields, fieldOfPath } from './form-check.ts'

test('only changed fields are sent; lists and nested values are compared by content', () => {
  const before = { name: 'North', calendars: ['ZA'], location: { lat: 1, lng: 2 }, address: null }
  expect(changesOf(before, { ...before, calendars: ['ZA'], location: { lat: 1, lng: 2 } })).toEqual({})
  expect(changesOf(before, { ...before, name: 'South', address: 'Dock Road' })).toEqual({
    name: 'South',
    address: 'Dock Road',
  })
})

test('an empty required field shows an error', () => {
  expect(checkFields(sites.createSchema, { name: '', timeZone: 'Africa/Johannesburg' })).toEqual({
    name: 'This is required.',
  })
})

test("the contract's own words win over general ones", () => {
  expect(checkFields(units.createSchema, { name: 'Gate', serial: 'a b' }).serial).toBe(
    'Use only letters, digits and . : - _ here.',
  )
})

test('a yearly holiday that is longer than a year shows an error', () => {
  const dates = [{ from: '2026-01-01', until: '2028-01-01', recurring: true }]
  expect(checkFields(holidays.createSchema, { name: 'Always', kind: 'public', dates })).toEqual({
    dates: 'A yearly holiday has at most 366 days.',
  })
})

test('an error names the bounds', () => {
  const wrong = checkFields(doors.patchSchema, { relockAfterSeconds: 0, heldOpenAfterSeconds: 9_000 })
  expect(wrong).toEqual({ relockAfterSeconds: 'At least 1.', heldOpenAfterSeconds: 'At most 3,600.' })
})

test('valid values have no errors', () => {
  expect(checkFields(sites.patchSchema, { address: null, version: 3 })).toEqual({})
})

test('an error of the server is shown at the field that it concerns', () => {
  expect(fieldOfPath('windows.0.start')).toBe('windows')
  expect(fieldOfPath('dates[1].from')).toBe('dates')
  expect(fieldOfPath('name')).toBe('name')
})

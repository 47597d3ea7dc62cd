import { expect, test } from 'vitest'
import { consentAt, isConsentValid, policies } from './consent.ts'

const policyUpdated = {
  eula: '2025-03-14T00:00:00.000Z',
  privacy: '2021-06-24T00:00:00.000Z',
  terms: '2021-06-29T00:00:00.000Z',
  disclaimer: '2021-06-29T00:00:00.000Z',
}
const given = consentAt(new Date('2026-01-05T09:00:00Z'))

test('§4 access guard: consent to all four policies after each was changed is valid', () => {
  expect(isConsentValid(given, policyUpdated)).toBe(true)
})

test.each(policies)('§4 access guard: without a date for %s consent is not valid', (policy) => {
  const { [policy]: _, ...others } = given
  expect(isConsentValid(others, policyUpdated)).toBe(false)
})

test.each(policies)(
  '§4 access guard: consent to %s at the very moment of its change, or before, is not valid',
  (policy) => {
    expect(isConsentValid({ ...given, [policy]: policyUpdated[policy] }, policyUpdated)).toBe(false)
    expect(isConsentValid({ ...given, [policy]: '2020-01-01T00:00:00.000Z' }, policyUpdated)).toBe(false)
  },
)

test('§4 access guard: a date that cannot be read is no consent', () => {
  expect(isConsentValid({ ...given, terms: 'yesterday' }, policyUpdated)).toBe(false)
})

import { expect, test } from 'vitest'
import { safeReturnUrl } from './return-url.ts'

test.each([
  '/acme-hq/sites?page=2',
  '/null/sites',
  '/acme-hq/events/list#now',
  '/acme-hq/sites/caf%C3%A9',
  '/acme-hq/users/list?search=a%5Cb%0Ac&view=/authentication/',
  '/acme-hq/users/settings?returnUrl=%2F%2Fevil.example',
])('§4 logout: %s is a place to return to', (path) => {
  expect(safeReturnUrl(path)).toBe(path)
})

test.each([
  'https://evil.example/',
  '//evil.example/sites',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/\u2028/evil.example',
  '/\u0000/evil.example',
  '/%2Fevil.example',
  '/%2f%2fevil.example',
  '/%5Cevil.example',
  '/%255Cevil.example',
  '/%252Fevil.example',
  '/%09/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e%2e//evil.example',
  '%2F%2Fevil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '/%E0%A4%A',
  'sites',
  `/${'a'.repeat(3_000)}`,
  '',
  undefined,
  null,
  7,
  ['/a', '/b'],
])('§4 logout: %s, which could lead off the site, is not returned to', (value) => {
  expect(safeReturnUrl(value)).toBeUndefined()
})

test.each([
  '/authentication/login?returnUrl=%2Fa',
  '/authentication',
  '/acme-hq/authentication',
  '/acme-hq/authentication/lock',
  '/acme-hq/%61uthentication/lock',
  '/acme-hq/../authentication/login',
])('§4 logout: the sign-in page %s is never returned to', (path) => {
  expect(safeReturnUrl(path)).toBeUndefined()
})

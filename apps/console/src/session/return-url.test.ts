import { expect, test } from 'vitest'
import { safeReturnUrl } from './return-url.ts'

test.each(['/acme-hq/sites?page=2', '/null/sites', '/acme-hq/events/list#now'])(
  '§4 logout: %s is a place to return to',
  (path) => {
    expect(safeReturnUrl(path)).toBe(path)
  },
)

test.each([
  'https://evil.example/',
  '//evil.example/sites',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '',
  undefined,
  ['/a', '/b'],
])('§4 logout: %s, which could lead off the site, is not returned to', (value) => {
  expect(safeReturnUrl(value)).toBeUndefined()
})

test('§4 logout: the sign-in pages are never returned to', () => {
  expect(safeReturnUrl('/authentication/login?returnUrl=%2Fa')).toBeUndefined()
  expect(safeReturnUrl('/acme-hq/authentication/login')).toBeUndefined()
})

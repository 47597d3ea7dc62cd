import { describe, expect, test } from 'vitest'
import { brandKeys, brandOf, brands, brandWithKey, defaultBrand } from './brands.ts'

describe('§1 the brand is chosen by the first part of the host name', () => {
  test.each([
    ['acme.example.com', 'acme'],
    ['acme.localhost:3000', 'acme'],
    ['ACME.Example.com', 'acme'],
    ['acme.example.com.:443', 'acme'],
    ['acme', 'acme'],
    ['harbour.doors.example.com', 'harbour'],
    ['portcullis.example', 'portcullis'],
  ])('%s: %s', (host, key) => {
    expect(brandOf(host).key).toBe(key)
  })

  test.each([
    'localhost',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    'doors.acme.example.com',
    'acme-doors.example.com',
    'unknown.example.com',
    '',
    '.acme',
    'acme..example.com',
    'acme/../../etc/passwd',
    'acme.example.com/..',
    '../acme',
    'acme%2f..',
    'acme.example.com:99999999',
    'acme:80@evil.example',
    'acme\u0000',
    '<script>',
    '__proto__',
    '__proto__.example.com',
    'constructor',
    'toString.example.com',
    `acme.${'a.'.repeat(200_000)}`,
  ])('the default for %s', (host) => {
    expect(brandOf(host)).toBe(defaultBrand)
  })

  test('the default without a host', () => {
    expect(brandOf(undefined)).toBe(defaultBrand)
  })
})

test('each brand is found under its own hosts, and no host belongs to two', () => {
  const hosts = Object.values(brands).flatMap((brand) =>
    brand.hosts.map((host) => [host, brandOf(host).key, brand.key]),
  )
  expect(hosts.filter(([, found, key]) => found !== key)).toEqual([])
  expect(new Set(hosts.map(([host]) => host)).size).toBe(hosts.length)
})

test('only known keys select a brand', () => {
  expect(brandKeys.map((key) => brandWithKey(key)?.key)).toEqual(brandKeys)
  expect([brandWithKey('toString'), brandWithKey('Acme'), brandWithKey(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

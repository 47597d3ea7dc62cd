import { expect, test } from 'vitest'
import { ownUrl } from './own-url.ts'

test.each([
  ['0.0.0.0', 'IPv4', 'http://localhost:3000'],
  ['::', 'IPv6', 'http://localhost:3000'],
  ['192.0.2.7', 'IPv4', 'http://192.0.2.7:3000'],
  ['::1', 'IPv6', 'http://[::1]:3000'],
])('a server that listens at %s (%s) is found at its own address', (address, family, url) => {
  expect(ownUrl({ publicUrl: undefined, address: { address, family, port: 3000 } })).toBe(url)
})

test('PUBLIC_URL is where the server is found, wherever it listens', () => {
  const address = { address: '0.0.0.0', family: 'IPv4', port: 3000 }
  expect(ownUrl({ publicUrl: 'https://doors.example.com', address })).toBe('https://doors.example.com')
})

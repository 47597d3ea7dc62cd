import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { clientAddressReader, clientSchemeReader, networkOf } from './client-network.ts'

function requestFrom(address: string, forwardedFor?: string) {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: address })
  const request = new IncomingMessage(socket)
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor
  return request
}

test.each([
  { proxies: [], from: '10.0.0.1', forwardedFor: '192.0.2.9', expected: '10.0.0.1' },
  { proxies: ['10.0.0.1'], from: '10.0.0.1', forwardedFor: '192.0.2.9', expected: '192.0.2.9' },
  { proxies: ['10.0.0.1'], from: '::ffff:10.0.0.1', forwardedFor: '192.0.2.9', expected: '192.0.2.9' },
  { proxies: ['10.0.0.1'], from: '10.0.0.1', forwardedFor: '203.0.113.5, 192.0.2.9', expected: '192.0.2.9' },
  { proxies: ['10.0.0.0/8'], from: '10.0.0.1', forwardedFor: '192.0.2.9, 10.3.0.2', expected: '192.0.2.9' },
  { proxies: ['10.0.0.1'], from: '10.0.0.1', forwardedFor: undefined, expected: '10.0.0.1' },
  { proxies: ['10.0.0.1'], from: '10.0.0.1', forwardedFor: 'nonsense', expected: '10.0.0.1' },
  { proxies: ['10.0.0.1'], from: '10.0.0.1', forwardedFor: '::ffff:192.0.2.9', expected: '192.0.2.9' },
])('behind $proxies, $from with $forwardedFor is $expected', ({ proxies, from, forwardedFor, expected }) => {
  expect(clientAddressReader(proxies)(requestFrom(from, forwardedFor))).toBe(expected)
})

test.each([
  { proxies: [], forwarded: 'https', expected: 'http' },
  { proxies: ['10.0.0.1'], forwarded: 'https', expected: 'https' },
  { proxies: ['10.0.0.1'], forwarded: 'http, https', expected: 'https' },
  { proxies: ['10.0.0.1'], forwarded: undefined, expected: 'http' },
  { proxies: ['10.0.0.2'], forwarded: 'https', expected: 'http' },
])('behind $proxies, the scheme forwarded as $forwarded is $expected', ({ proxies, forwarded, expected }) => {
  const request = requestFrom('10.0.0.1')
  if (forwarded !== undefined) request.headers['x-forwarded-proto'] = forwarded
  expect(clientSchemeReader(proxies)(request)).toBe(expected)
})

test.each([
  ['192.0.2.9', '192.0.2.9'],
  ['::ffff:192.0.2.9', '192.0.2.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

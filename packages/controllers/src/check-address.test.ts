import { expect, test } from 'vitest'
import { checkAddress, gatewayAddress, UnencryptedAddress } from './check-address.ts'
import { VirtualUnit } from './virtual-unit.ts'

test.each([
  'wss://doors.example.com/units',
  'ws://localhost:3000/units',
  'ws://acme.localhost:3000/units',
  'ws://127.0.0.1:3000/units',
  'ws://127.9.9.9/units',
  'ws://127.1/units',
  'ws://[::1]:3000/units',
])('%s is allowed', (url) => {
  expect(() => checkAddress(url, {})).not.toThrow()
})

test.each([
  'ws://doors.example.com/units',
  'ws://192.168.1.5:3000/units',
  'ws://localhost.example.com/units',
  'ws://127.0.0.1.example.com/units',
  'ws://[fd00::1]/units',
  'ws://0.0.0.0/units',
])('%s is refused with the remedy, and allowed by the explicit option', (url) => {
  expect(() => checkAddress(url, {})).toThrow(UnencryptedAddress)
  expect(() => checkAddress(url, {})).toThrow('allow it with --allow-unencrypted in a network')
  expect(() => checkAddress(url, { allowUnencrypted: true })).not.toThrow()
})

test('a virtual unit does not begin with an unencrypted address', () => {
  const options = { dir: '/nowhere', serial: 'PC-1', url: 'ws://doors.example.com/units' }
  expect(() => new VirtualUnit(options)).toThrow('allow it with allowUnencrypted: true in a network')
  expect(new VirtualUnit({ ...options, allowUnencrypted: true }).serial).toBe('PC-1')
})

test.each([
  ['https://server', 'wss://server/units'],
  ['http://localhost:3000/', 'ws://localhost:3000/units'],
  ['https://server/base', 'wss://server/base/units'],
  ['wss://server/base/units', 'wss://server/base/units'],
])('the gateway of %s is at %s', (server, gateway) => {
  expect(gatewayAddress(server)).toBe(gateway)
})

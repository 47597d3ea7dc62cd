import { expect, onTestFinished, test, vi } from 'vitest'
import { unitConnectionPolicy } from './encrypted-units.ts'
import { gatewayWorld } from './test-world.ts'

async function startWorld() {
  const world = await gatewayWorld()
  onTestFinished(() => world.close())
  return world
}

const trustedProxies = ['10.0.0.7', '127.0.0.1', 'fd00::/8']

test.each<[string, { from: string; proto?: string; server?: string; setting?: 'on' | 'off' }, boolean]>([
  ['from this machine', { from: '127.0.0.1' }, true],
  ['from this machine, IPv6', { from: '::1' }, true],
  ['from this machine, IPv4 in IPv6', { from: '::ffff:127.0.0.1' }, true],
  ['from this machine, by its own address', { from: '192.168.1.5', server: '192.168.1.5' }, true],
  ['from a proxy on this machine', { from: '127.0.0.1', proto: 'https' }, true],
  ['from a proxy on this machine that reports plain HTTP', { from: '127.0.0.1', proto: 'http' }, false],
  ['from the network', { from: '192.168.1.9' }, false],
  ['from the network, claiming TLS', { from: '192.168.1.9', proto: 'https' }, false],
  ['through a trusted proxy that reports TLS', { from: '10.0.0.7', proto: 'https' }, true],
  ['through a trusted network, IPv6', { from: 'fd00::7', proto: 'wss' }, true],
  ['through several proxies with TLS', { from: '10.0.0.7', proto: 'https, https' }, true],
  ['through a trusted proxy that reports nothing', { from: '10.0.0.7' }, false],
  ['through a trusted proxy that reports plain HTTP', { from: '10.0.0.7', proto: 'http' }, false],
  ['that claims TLS itself, through a proxy that appends', { from: '10.0.0.7', proto: 'https, http' }, false],
  ['from the network, with UNENCRYPTED_UNITS=on', { from: '192.168.1.9', setting: 'on' }, true],
])('whether a connection %s is accepted', (_, { from, proto, server = '192.168.1.1', setting = 'off' }, accepted) => {
  const isAccepted = unitConnectionPolicy({ trustedProxies, unencryptedUnits: setting })
  const headers = proto === undefined ? {} : { 'x-forwarded-proto': proto }
  expect(isAccepted({ socket: { remoteAddress: from, localAddress: server }, headers })).toBe(accepted)
})

test('a unit on an unencrypted connection is refused before it sends anything, with the remedy, and recorded as an event', async () => {
  const world = await startWorld()
  const { url } = await world.startServer({ peerAddress: '192.168.1.9' })
  const peer = await world.peer(url)
  const refused = await peer.refusal()
  expect(refused).toMatchObject({ code: 'unencrypted' })
  expect(refused?.type === 'refused' && refused.message).toContain('UNENCRYPTED_UNITS=on')
  expect(peer.received.map(({ type }) => type)).toEqual(['refused'])
  await vi.waitFor(
    async () =>
      expect((await world.events()).map(({ type, data }) => [type, data['note']])).toEqual([
        ['unit.refused', expect.objectContaining({ refusal: 'unencrypted', address: '192.168.1.9' })],
      ]),
    { timeout: 60_000 },
  )
})

test('a unit behind a trusted proxy with TLS is challenged', async () => {
  const world = await startWorld()
  const { url } = await world.startServer({ peerAddress: '10.0.0.7', trustedProxies })
  const peer = await world.peer(url, { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.168.1.9' })
  expect(peer.received.map(({ type }) => type)).toEqual(['challenge'])
})

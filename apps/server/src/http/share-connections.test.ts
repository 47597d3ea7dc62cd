import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { CountedResponse } from './open-requests.ts'
import { maxConnections, shareConnections } from './share-connections.ts'

type Limits = { most?: number; ofNetwork?: number }

/** A server with these limits, and clients at addresses of this machine. */
async function start(limits: Limits) {
  const app = Fastify({ http: { ServerResponse: CountedResponse } })
  shareConnections(app, { trustedProxies: ['127.0.0.9'], ...limits })
  app.get('/held', (_request, reply) => void reply.hijack().raw.write('.'))
  app.get('/', () => 'ok')
  app.server.on('upgrade', (_request, socket: Duplex) => {
    socket.on('error', () => socket.destroy()).on('end', () => socket.destroy())
    socket.resume()
    if (socket.writable) socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = z.object({ port: z.int() }).parse(app.server.address())
  const clients = new Set<ReturnType<typeof connect>>()
  onTestFinished(async () => {
    for (const client of clients) client.destroy()
    await app.close()
  })

  function open(localAddress: string, text: string) {
    const client = connect({ host: '127.0.0.1', port, localAddress })
    clients.add(client)
    const closed = once(client, 'close').then(() => 'closed' as const)
    client.on('error', () => client.destroy())
    client.write(text)
    const answered = once(client, 'data').then(
      ([data]) => (/^HTTP\/1.1 (?:200|101) /.test(String(data)) ? ('answered' as const) : closed),
      () => closed,
    )
    return { first: Promise.race([answered, closed]), closed, end: () => client.destroy() }
  }

  return {
    get: (address: string, path = '/held') => open(address, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
    upgrade: (address: string, path: string) =>
      open(address, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`),
    /** Resolves once the server has a new connection, on which its client sends nothing. */
    async silent(address: string) {
      const accepted = once(app.server, 'connection')
      const client = open(address, '')
      await accepted
      return client
    },
  }
}

const addresses = [2, 3, 4, 5, 6, 7, 8].map((last) => `127.0.0.${last}`)

test('a network whose share is used up is refused, and other addresses and proxies connect', async () => {
  const { get } = await start({ ofNetwork: 4 })
  for (const _of of [1, 2, 3]) expect(await get('127.0.0.2').first).toBe('answered')
  expect(await get('127.0.0.2').first).toBe('closed')
  expect(await get('127.0.0.3').first).toBe('answered')
  for (const _of of [1, 2, 3, 4, 5]) expect(await get('127.0.0.9').first).toBe('answered')
})

test('a new connection of a network takes the place of its longest idle one', async () => {
  const { get } = await start({ ofNetwork: 4 })
  const oldest = get('127.0.0.4', '/')
  expect(await oldest.first).toBe('answered')
  for (const _of of [1, 2]) expect(await get('127.0.0.4').first).toBe('answered')
  expect(await get('127.0.0.4').first).toBe('answered')
  expect(await oldest.closed).toBe('closed')
  expect(await get('127.0.0.4').first).toBe('closed')
})

test.for([
  ['a controller', 'browsers', '/units', '/primus/'],
  ['a browser', 'controllers', '/primus/', '/units'],
] as const)(
  '%s connects while %s hold all that they may, and silent clients the rest',
  async ([_one, _others, own, theirs]) => {
    const { upgrade, silent } = await start({ most: 8 })
    const held = addresses.slice(0, 6).map((address) => upgrade(address, theirs))
    expect(await Promise.all(held.map(({ first }) => first))).toEqual(held.map(() => 'answered'))
    expect(await upgrade('127.0.0.8', theirs).first).toBe('closed')
    const [oldest] = [await silent('127.0.0.8'), await silent('127.0.0.8')]
    expect(await upgrade('127.0.0.2', own).first).toBe('answered')
    expect(await oldest.closed).toBe('closed')
  },
)

test('controllers connect from a network whose browsers hold all that they may', async () => {
  const { get, upgrade } = await start({ ofNetwork: 4 })
  for (const _of of [1, 2, 3]) expect(await get('127.0.0.2').first).toBe('answered')
  expect(await get('127.0.0.2').first).toBe('closed')
  expect(await upgrade('127.0.0.2', '/units').first).toBe('answered')
})

test('connections beyond all bounds are closed, and accepted again once others have ended', async () => {
  const { upgrade } = await start({ most: 4 })
  const units = [1, 2, 3].map(() => upgrade('127.0.0.2', '/units'))
  expect(await Promise.all(units.map(({ first }) => first))).toEqual(units.map(() => 'answered'))
  const browser = upgrade('127.0.0.3', '/primus/')
  expect(await browser.first).toBe('answered')
  expect(await upgrade('127.0.0.4', '/primus/').first).toBe('closed')
  browser.end()
  await expect.poll(() => upgrade('127.0.0.4', '/primus/').first).toBe('answered')
})

test('a server has at most 20,000 connections, and fewer where the process may not open as many files', () => {
  expect(maxConnections()).toBeGreaterThanOrEqual(200)
  expect(maxConnections()).toBeLessThanOrEqual(20_000)
})

import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { keepPeerAddresses } from './keep-peer-addresses.ts'

test('the address of a client that has left is still known', async () => {
  const app = fastify({ trustProxy: ['10.0.0.1'] })
  onTestFinished(() => app.close())
  keepPeerAddresses(app.server)
  const address = Promise.withResolvers<string>()
  app.get('/', async (request) => {
    await once(request.raw.socket, 'close')
    address.resolve(request.ip)
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const client = connect(Number(port), '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n', () => client.destroy())
  expect(await address.promise).toBe('127.0.0.1')
})

import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const { hostname, port } = new URL(server.url)

/** Sends requests in one packet, and collects the statuses of the answers. */
function send(count: number) {
  const headers = `host: localhost\r\nx-js-account: ${server.account}\r\ncookie: ${server.headers.cookie}\r\n\r\n`
  const socket = connect(Number(port), hostname).on('error', () => {})
  let text = ''
  socket.on('data', (data: Buffer) => {
    text += data.toString()
  })
  socket.write(`GET /api/events HTTP/1.1\r\n${headers}`.repeat(count))
  return { socket, statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status) }
}

test('some requests may be sent before the first is answered, and all are answered', async () => {
  const { socket, statuses } = send(16)
  await expect.poll(statuses).toEqual(Array.from({ length: 16 }, () => '200'))
  socket.destroy()
})

test('a client that sends hundreds without waiting for answers is disconnected', async () => {
  const { socket, statuses } = send(400)
  await once(socket, 'close')
  expect(statuses().length).toBeLessThan(16)
  expect((await server.ask('GET', '/api/events')).status).toBe(200)
})

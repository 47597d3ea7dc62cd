import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { request, startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
}

test.for(['/', '/nowhere', '/primus', '/units/', '/api/sites', '/units%00'])(
  'a WebSocket handshake at %s is answered with 404',
  async (path) => {
    expect((await firstLine(path, handshake)).trim()).toBe('HTTP/1.1 404 Not Found')
  },
)

test('a client that resets its handshake does not end the process', async () => {
  for (const path of ['/nowhere', '/units', '/primus/']) {
    const socket = send(path, handshake)
    await once(socket, 'connect')
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  expect((await request(`${server.url}/health/live`, { method: 'GET', headers: {} })).status).toBe(200)
})

test('a request with any other Upgrade header is served as plain HTTP', async () => {
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
  expect((await firstLine('/health/live', headers)).trim()).toBe('HTTP/1.1 200 OK')
})

function send(path: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  return socket
}

async function firstLine(path: string, headers: Record<string, string>) {
  const socket = send(path, headers)
  const lines = createInterface(socket)
  const { value } = await lines[Symbol.asyncIterator]().next()
  socket.destroy()
  return String(value)
}

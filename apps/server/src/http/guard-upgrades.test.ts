import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface, type Interface } from 'node:readline'
import { subprotocol } from '@portcullis/contract/unit-protocol/frames'
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

test.for(['/units', '/primus/', '/api/nowhere'])(
  'a request before a handshake at %s on the same connection is answered, and the handshake is served as plain HTTP',
  async (path) => {
    const socket = send('/health/ready', {})
    socket.write(head(path, handshake))
    expect(await statusLines(socket, 2)).toEqual(['HTTP/1.1 200 OK', expect.stringMatching(/^HTTP\/1.1 40[04] /)])
    socket.destroy()
  },
)

test('a handshake is accepted after an answered request on the same connection', async () => {
  const socket = send('/health/live', {})
  const lines = createInterface(socket)
  const next = statusLineReader(lines)
  expect(await next()).toBe('HTTP/1.1 200 OK')
  socket.write(head('/units', { ...handshake, 'sec-websocket-protocol': subprotocol }))
  expect(await next()).toBe('HTTP/1.1 101 Switching Protocols')
  socket.destroy()
})

test('a request with any other Upgrade header is served as plain HTTP', async () => {
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
  expect((await firstLine('/health/live', headers)).trim()).toBe('HTTP/1.1 200 OK')
})

function send(path: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(head(path, headers))
  return socket
}

function head(path: string, headers: Record<string, string>) {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

async function statusLines(socket: Socket, count: number) {
  const next = statusLineReader(createInterface(socket))
  const found: (string | undefined)[] = []
  while (found.length < count) found.push(await next())
  return found
}

/** A body has no line end, so that the next status line may follow it on the same line. */
function statusLineReader(lines: Interface) {
  const received = lines[Symbol.asyncIterator]()
  return async () => {
    for (;;) {
      const { value, done } = await received.next()
      if (done) return undefined
      const [status] = /HTTP\/1\.1 \d.*$/.exec(value) ?? []
      if (status !== undefined) return status.trim()
    }
  }
}

async function firstLine(path: string, headers: Record<string, string>) {
  const socket = send(path, headers)
  const lines = createInterface(socket)
  const { value } = await lines[Symbol.asyncIterator]().next()
  socket.destroy()
  return String(value)
}

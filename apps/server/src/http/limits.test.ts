import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
const http = server.app.server
const { headersTimeout, requestTimeout, keepAliveTimeout } = http
const configured = { headersTimeout, requestTimeout, keepAliveTimeout }

// The limits are shortened, because a test cannot wait for them; the server checks them every second.
afterEach(() => void Object.assign(http, configured))
afterAll(server.stop)

test('clients have 10 s for the headers, 30 s for a request and 72 s between two', () => {
  expect(configured).toEqual({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 72_000 })
})

const post = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nX-JS-ACCOUNT: null\r\nContent-Type: application/json\r\n'

test.each([
  ['sends nothing', ''],
  ['sends half a line', 'GET /health/li'],
  ['sends headers without an end', 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-One: 1\r\n'],
])('a connection is closed when its client %s for too long', async (_what, sent) => {
  http.headersTimeout = 300
  expect(await answerTo(sent)).toMatch(/^HTTP\/1\.1 400 |^$/)
})

test('a request is refused when its body takes too long', async () => {
  Object.assign(http, { headersTimeout: 200, requestTimeout: 300 })
  expect(await answerTo(`${post}Content-Length: 100\r\n\r\n{"email":`)).toMatch(/^HTTP\/1\.1 400 /)
})

test('a connection that carries something else than HTTP is closed, even if its client keeps its side open', async () => {
  const socket = open({ allowHalfOpen: true })
  socket.write('SSH-2.0-OpenSSH_10.0\r\n')
  const own = await new Promise<Socket>((resolve) => http.once('connection', resolve))
  const isClosed = once(own, 'close')
  const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /)
  await isClosed
  socket.destroy()
})

test('a connection that is idle after a request is closed', async () => {
  http.keepAliveTimeout = 100
  expect(await answerTo('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
})

function open({ allowHalfOpen = false } = {}) {
  const { hostname, port } = new URL(server.url)
  return connect({ host: hostname, port: Number(port), allowHalfOpen })
}

/** Everything that the server sends before it closes the connection. */
async function answerTo(sent: string) {
  const socket = open()
  socket.write(sent)
  // A connection that the server does not accept may be reset.
  return text(socket).catch(() => '')
}

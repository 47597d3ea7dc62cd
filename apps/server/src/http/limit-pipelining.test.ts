import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../test-server.ts'

const server = await startTestServer()
afterAll(server.stop)

const { hostname, port } = new URL(server.url)
const host = 'host: localhost\r\n'
const session = `x-js-account: ${server.account}\r\ncookie: ${server.headers.cookie}\r\n`
const list = `GET /api/events HTTP/1.1\r\n${host}${session}\r\n`

/** Sends text in one packet, and collects the statuses of the answers. */
function send(text: string) {
  const socket = connect(Number(port), hostname).on('error', () => {})
  let answers = ''
  socket.on('data', (data: Buffer) => {
    answers += data.toString()
  })
  socket.write(text)
  return { socket, statuses: () => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status) }
}

/** Counts the requests that Node begins. */
function countBegun() {
  let begun = 0
  const count = () => void (begun += 1)
  subscribe('http.server.request.start', count)
  onTestFinished(() => void unsubscribe('http.server.request.start', count))
  return () => begun
}

test('some requests may be sent before the first is answered, and all are answered', async () => {
  const { socket, statuses } = send(list.repeat(16))
  await expect.poll(statuses).toEqual(Array.from({ length: 16 }, () => '200'))
  socket.destroy()
})

test.each([
  ['a list', list],
  ['a URL that cannot be decoded', `GET /% HTTP/1.1\r\n${host}\r\n`],
  ['the path of the real-time channel', `GET /primus/ HTTP/1.1\r\n${host}\r\n`],
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['an unknown expectation', `GET / HTTP/1.1\r\n${host}expect: a miracle\r\n\r\n`],
])('hundreds of requests in one packet end the connection, and no more than 16 begin: %s', async (_name, text) => {
  const begun = countBegun()
  const { socket, statuses } = send(text.repeat(400))
  await once(socket, 'close')
  expect(statuses().length).toBeLessThan(16)
  expect(begun()).toBe(16)
  expect((await server.ask('GET', '/api/events')).status).toBe(200)
})

test('a handshake as the request that is too many is not an upgrade', async () => {
  let upgrades = 0
  const count = () => void (upgrades += 1)
  server.app.server.on('upgrade', count)
  onTestFinished(() => void server.app.server.off('upgrade', count))
  const { socket } = send(
    `${list.repeat(16)}GET /units HTTP/1.1\r\n${host}connection: upgrade\r\nupgrade: websocket\r\n\r\n`,
  )
  await once(socket, 'close')
  expect(upgrades).toBe(0)
})

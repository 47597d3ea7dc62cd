import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { noFaults, UnitLink } from './unit-link.ts'

let server: WebSocketServer
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
})
afterEach(() => {
  vi.useRealTimers()
  server.close()
})

function newLink() {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const onFailure = vi.fn<(reason: string) => void>()
  const url = `ws://127.0.0.1:${port}`
  const link = new UnitLink({ url, faults: () => noFaults, onFrame: () => {}, onDisconnect: () => {}, onFailure })
  return { link, url, onFailure }
}

/** Starts a link whose server says nothing, and waits for its connection. */
async function connected(link: UnitLink) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const arrived = once(server, 'connection')
  link.start()
  await arrived
  const [socket] = server.clients
  if (!socket) throw new Error('There is no connection.')
  return socket
}

test('a unit that is not welcomed for 30 seconds connects again: its server may be gone without closing the connection', async () => {
  const { link, url, onFailure } = newLink()
  const socket = await connected(link)
  const closed = once(socket, 'close')
  vi.advanceTimersByTime(30_000)
  await closed
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  expect(onFailure.mock.calls).toEqual([[`${url} does not answer.`]])
  const again = once(server, 'connection')
  vi.advanceTimersByTime(10_000)
  expect(await again).toHaveLength(2)
  link.stop()
})

test('a unit that was welcomed stays connected', async () => {
  const { link } = newLink()
  const socket = await connected(link)
  link.settled()
  vi.advanceTimersByTime(60_000)
  const answered = once(socket, 'pong')
  socket.ping()
  expect(await answered).toHaveLength(1)
  link.stop()
})

test('the failures of a unit name their cause: no server, another server, a lost connection', async () => {
  const { link, url, onFailure } = newLink()
  const failed = async (reason: string) => vi.waitFor(() => expect(onFailure).toHaveBeenLastCalledWith(reason))
  server.once('connection', (socket) => socket.close())
  link.start()
  await failed(`${url} has closed the connection.`)
  server.once('connection', (socket) => socket.send('hello'))
  link.hurry()
  await failed(`${url} is not the address of a Portcullis server.`)
  server.close()
  link.hurry()
  await failed(`${url}: no server answers at this address. Check that it is running.`)
  link.stop()
})

test.each([
  [404, 'URL is not the address of a Portcullis server: it answers with status 404.'],
  [200, 'URL is not the address of a Portcullis server: it answers with status 200.'],
  [503, 'URL: the server answers with status 503, and may be overloaded or stopped.'],
])('a web server that answers with status %i is named as the cause', async (status, sentence) => {
  server.close()
  const web = createServer((_request, response) => response.writeHead(status).end()).listen(0, '127.0.0.1')
  await once(web, 'listening')
  const address = web.address()
  const url = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/units`
  const { promise, resolve } = Promise.withResolvers<string>()
  const link = new UnitLink({
    url,
    faults: () => noFaults,
    onFrame: () => {},
    onDisconnect: () => {},
    onFailure: resolve,
  })
  link.start()
  expect(await promise).toBe(sentence.replace('URL', url))
  link.stop()
  web.close()
})

test('a unit that ends its own connection reports no failure', async () => {
  const { link, onFailure } = newLink()
  const socket = await connected(link)
  const closed = once(socket, 'close')
  link.cut()
  await closed
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  link.stop()
  expect(onFailure).not.toHaveBeenCalled()
})

/** Each attempt to connect fails at once; `waited` is the time between them. */
function linkWithoutServer(random: number) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const attempts: number[] = []
  const faults = () => {
    attempts.push(Date.now())
    return { ...noFaults, offline: true }
  }
  const ignored = { onFrame: () => {}, onDisconnect: () => {}, onFailure: () => {} }
  const link = new UnitLink({ url: 'ws://127.0.0.1', random: () => random, faults, ...ignored })
  return { link, attempts, waited: () => attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0)) }
}

test.each([
  { random: 0, waits: [125, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000] },
  { random: 0.6, waits: [200, 400, 800, 1_600, 3_200, 6_400, 8_000, 8_000] },
])(
  'units that lose a server together do not all return at once: waits double up to 10 s, less a random part, here $random',
  ({ random, waits }) => {
    const { link, attempts, waited } = linkWithoutServer(random)
    link.start()
    while (attempts.length <= waits.length) vi.advanceTimersToNextTimer()
    link.stop()
    expect(waited()).toEqual(waits)
  },
)

test('a unit that could not store a frame waits longest before it connects again, unless the network is back', () => {
  const { link, waited } = linkWithoutServer(0)
  link.start()
  link.cutForLong()
  vi.advanceTimersToNextTimer()
  vi.advanceTimersToNextTimer()
  link.cutForLong()
  link.hurry()
  vi.advanceTimersToNextTimer()
  link.stop()
  expect(waited()).toEqual([125, 5_000, 0, 125])
})

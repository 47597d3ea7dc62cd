import { once } from 'node:events'
import { limits, type ServerFrame } from '@portcullis/contract/unit-protocol/frames'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { OutgoingFrames } from './outgoing-frames.ts'

afterEach(() => vi.useRealTimers())

const chunk: ServerFrame = {
  type: 'configChunk',
  version: 1,
  index: 0,
  data: Buffer.alloc(limits.configChunkBytes).toString('base64'),
}
const ack: ServerFrame = { type: 'ack', logId: '019a0000-0000-7000-8000-000000000000', upTo: 1 }
/** More than two sockets on one machine buffer in the system. */
const manyChunks = 400

test('chunks for a unit that reads nothing are not made while one waits, and it is stalled after a minute', async () => {
  const { server, frames } = await pausedUnit()
  vi.useFakeTimers({ toFake: ['performance'] })
  const sending = sendChunks(frames)
  await expect.poll(() => server.bufferedAmount).toBeGreaterThan(0)
  expect(server.bufferedAmount).toBeLessThan(2 * limits.configChunkBytes)
  vi.advanceTimersByTime(59_000)
  expect(frames.isStalled).toBe(false)
  vi.advanceTimersByTime(2_000)
  expect(frames.isStalled).toBe(true)
  server.terminate()
  await sending.done
  expect(sending.made()).toBeLessThan(manyChunks)
})

test('a unit that reads again gets all chunks, and is not stalled', async () => {
  const { server, client, frames } = await pausedUnit()
  const sending = sendChunks(frames)
  await expect.poll(() => server.bufferedAmount).toBeGreaterThan(0)
  client.resume()
  await sending.done
  expect(sending.made()).toBe(manyChunks)
  expect(frames.isStalled).toBe(false)
})

test('a unit that causes answers but reads none of them is disconnected when a megabyte waits', async () => {
  const { server, frames } = await pausedUnit()
  const closed = once(server, 'close')
  let highest = 0
  for (let sent = 0; sent < 500_000 && server.readyState === WebSocket.OPEN; sent++) {
    frames.send(ack)
    highest = Math.max(highest, server.bufferedAmount)
  }
  await closed
  expect(highest).toBeLessThan(1.1 * 1024 * 1024)
})

/** Sends one chunk after the other; counts how many were made. */
function sendChunks(frames: OutgoingFrames) {
  let made = 0
  function* chunks() {
    for (; made < manyChunks; made++) yield chunk
  }
  return { done: frames.sendAll(chunks()), made: () => made }
}

async function pausedUnit() {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  })
  await once(sockets, 'listening')
  const address = sockets.address()
  const connected = once(sockets, 'connection')
  const client = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
  client.on('error', () => {})
  await Promise.all([connected, once(client, 'open')])
  client.pause()
  const [server] = sockets.clients
  if (!server) throw new Error('no unit has connected')
  return { server, client, frames: new OutgoingFrames(server) }
}

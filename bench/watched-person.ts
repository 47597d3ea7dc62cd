import { io, type Socket } from 'socket.io-client'
import { z } from 'zod'

type WatchAsInput = { urls: readonly string[]; account: string; headers: Record<string, string> }

const listed = z.object({ items: z.array(z.unknown()) })
const patienceMs = 30_000

/**
 * A user who reads a list as fast as possible and listens to its room, on each of the servers. Times are those of
 * `performance.now()`: of the last byte of an answer, and of the last message about an item.
 */
export async function watchAs({ urls, account, headers }: WatchAsInput) {
  const last = { rest: 0, socket: 0 }
  const counts = { answers: 0, refusals: 0, messages: 0 }
  /** When each server first refused, and when each socket was notified. */
  const refused = new Map<string, number>()
  const notified = new Map<string, number>()
  let isOver = false
  const sockets = await Promise.all(urls.map(listen))
  const readers = urls.map(read)

  return {
    last,
    refused,
    notified,
    /** Both lists are answered, and both sockets receive messages. */
    async isServed() {
      const expected = { answers: counts.answers + 2 * urls.length, messages: counts.messages + 2 * urls.length }
      await until(() => counts.answers >= expected.answers && counts.messages >= expected.messages)
    },
    async isRefused() {
      await until(() => refused.size === urls.length && notified.size === urls.length)
    },
    async stop() {
      isOver = true
      for (const socket of sockets) socket.close()
      await Promise.all(readers)
    },
  }

  async function listen(url: string): Promise<Socket> {
    const socket = io(url, {
      path: '/primus',
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders: headers,
    })
    socket.on('site:save', () => {
      last.socket = performance.now()
      counts.messages += 1
    })
    const note = () => void (notified.has(url) || notified.set(url, performance.now()))
    for (const notice of ['left', 'ended', 'disconnect']) socket.on(notice, note)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
    await promise
    const answer: unknown = await socket.timeout(patienceMs).emitWithAck('join', `site:${account}:*`)
    if (!z.object({ ok: z.literal(true) }).safeParse(answer).success) throw new Error('The room was refused.')
    return socket
  }

  async function read(url: string) {
    while (!isOver) {
      const answer = await fetch(`${url}/api/sites?size=20`, { headers: { ...headers, 'x-js-account': account } })
      const body: unknown = await answer.json()
      if (answer.ok && listed.parse(body).items.length > 0) {
        last.rest = performance.now()
        counts.answers += 1
      } else if (!refused.has(url)) refused.set(url, performance.now())
      // A refused user continues to send requests, but slowly, so that the others can work.
      if (!answer.ok) await pause(20)
    }
  }
}

/** Polls until the condition is true. */
async function until(isSo: () => boolean) {
  const end = performance.now() + patienceMs
  while (!isSo()) {
    if (performance.now() > end)
      throw new Error('The expected answers or messages did not arrive in time. Repeat the bench on an idle machine.')
    await pause(2)
  }
}

/** Paces the polling. */
export function pause(ms: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, ms)
  return promise
}

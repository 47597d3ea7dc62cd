import { setTimeout as delay } from 'node:timers/promises'
import { AnswerCounts, type Attack, attackMs } from '../attack.ts'
import { openRaw, repeatFor, requestText } from '../raw-request.ts'

const half = requestText({
  method: 'POST',
  path: '/api/auth/login',
  headers: { 'content-type': 'application/json', 'content-length': '400', 'x-js-account': 'null' },
  body: '{"email":',
})

/** Requests that Node, the real-time channel or the router answer before any call. */
const unserved = [
  'GET /% HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET /primus/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
]
const packetBytes = 512 * 1024

export const socketAttacks: readonly Attack[] = [
  {
    name: 'pipelined requests that reach no call',
    sends: '512 kB of GET /%, GET /primus/ or GET / without a host on each connection, 8 at once',
    run: async ({ url }) => {
      const counts = new AnswerCounts()
      await repeatFor({ ms: attackMs, atOnce: 8 }, async (turn) => {
        const text = unserved[turn % unserved.length] ?? ''
        const socket = openRaw(url)
        const isClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
        socket.resume()
        socket.write(text.repeat(packetBytes / text.length))
        await Promise.race([isClosed, delay(attackMs, undefined, { ref: false })])
        counts.add(socket.closed ? 'closed' : 'open')
        socket.destroy()
      })
      return counts.outcome(['closed'])
    },
  },
  {
    name: '500 slow sockets',
    sends: 'a byte a second, nothing at all, half a header, half a body; until the server closes them',
    run: async ({ url }) => {
      const counts = new AnswerCounts()
      const sockets = Array.from({ length: 500 }, (_, index) => {
        const socket = openRaw(url)
        const isClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
        socket.resume()
        const kind = index % 4
        if (kind === 2) socket.write('GET /health/live HTTP/1.1\r\nhost: loc')
        if (kind === 3) socket.write(half)
        let at = 0
        const trickle = setInterval(() => kind === 0 && socket.write(half[at++ % half.length] ?? 'x'), 1_000)
        socket.once('close', () => {
          clearInterval(trickle)
          counts.add('closed')
        })
        return { socket, isClosed, trickle }
      })
      const all = Promise.all(sockets.map(({ isClosed }) => isClosed))
      // Connections that send a body, and those that send nothing, have 30 s for the whole request.
      await Promise.race([all, delay(40_000, undefined, { ref: false })])
      const open = sockets.filter(({ socket }) => !socket.closed).length
      for (const { socket, trickle } of sockets) {
        clearInterval(trickle)
        socket.destroy()
      }
      return { happened: counts.sentence(), faults: open > 0 ? [`${open} were still open after 40 s`] : [] }
    },
  },
  {
    name: 'clients that connect and never read',
    sends: '30 connections, each asking 2,000 times for a page of 500 events, reading nothing',
    run: async ({ url, ravine }) => {
      const headers = { cookie: ravine.admin.cookie, 'x-js-account': ravine.ref }
      const text = requestText({ path: '/api/events?size=500', headers })
      const sockets = Array.from({ length: 30 }, () => {
        const socket = openRaw(url)
        socket.pause()
        socket.write(text.repeat(2_000))
        return socket
      })
      await delay(2 * attackMs)
      const open = sockets.filter(({ closed }) => !closed).length
      for (const socket of sockets) socket.destroy()
      return { happened: `${open} of 30 connections still open after ${(2 * attackMs) / 1_000} s`, faults: [] }
    },
  },
]

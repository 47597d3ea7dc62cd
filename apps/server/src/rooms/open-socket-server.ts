import type { IncomingHttpHeaders, Server as HttpServer } from 'node:http'
import { parseCookie } from 'cookie'
import { Server, type Socket } from 'socket.io'
import { isOwnOrigin } from '../http/guard-writes.ts'
import { readSessionToken } from '../sessions/session-cookie.ts'
import { lackOf, refusalFor } from '../sessions/complete-sign-in.ts'
import type { SessionPerson } from '../sessions/session-store.ts'

const frameBytes = 64 * 1024

type Parts = {
  server: HttpServer
  publicUrl: string | undefined
  personOf: (token: string) => Promise<SessionPerson | undefined>
  onGuest: (guest: { socket: Socket; person: SessionPerson }) => void
}

/** Takes WebSockets at `/primus` from our own pages and from programs, in a live session; other upgrades are left to others. */
export function openSocketServer({ server, publicUrl, personOf, onGuest }: Parts) {
  const io = new Server(server, {
    path: '/primus',
    transports: ['websocket'],
    destroyUpgrade: false,
    serveClient: false,
    maxHttpBufferSize: frameBytes,
    allowRequest: ({ headers }, answer) => {
      const { origin, host } = headers
      const isForeign = origin !== undefined && !isOwnOrigin({ origin, host, publicUrl })
      answer(null, !isForeign && tokenIn(headers, publicUrl) !== undefined)
    },
  })
  const people = new WeakMap<Socket, SessionPerson>()

  io.use((socket, next) => {
    void admit(socket).then(next)
  })

  io.on('connection', (socket) => {
    const person = people.get(socket)
    if (person) onGuest({ socket, person })
  })
  return io

  /** Answers why somebody is not let in. */
  async function admit(socket: Socket) {
    const token = tokenIn(socket.handshake.headers, publicUrl)
    try {
      const person = token === undefined ? undefined : await personOf(token)
      if (!person) return new Error('unauthenticated')
      const lack = lackOf(person)
      if (lack) return new Error(refusalFor(lack).code)
      people.set(socket, person)
      return undefined
    } catch (cause) {
      return new Error('unavailable', { cause })
    }
  }
}

function tokenIn({ cookie }: IncomingHttpHeaders, publicUrl: string | undefined) {
  return readSessionToken(parseCookie(cookie ?? ''), publicUrl)
}

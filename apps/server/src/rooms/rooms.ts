import type { Server as HttpServer } from 'node:http'
import { parseCookie } from 'cookie'
import { Server, type Socket } from 'socket.io'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../http/app-error.ts'
import { isOwnOrigin } from '../http/guard-writes.ts'
import { readSessionToken } from '../sessions/session-cookie.ts'
import { findSessionPerson, type SessionPerson } from '../sessions/session-store.ts'
import { checkJoin, type JoinedRoom } from './join-room.ts'
import { publishChanges } from './publish-changes.ts'

const limits = { roomsPerSocket: 200, frameBytes: 64 * 1024, checkMs: 1_000 } as const

type Parts = { server: HttpServer; database: Database; feed: ChangeFeed; publicUrl: string | undefined }

/** `standing` is what the roles were when the rooms were last checked. */
type Guest = { socket: Socket; token: string; rooms: Map<string, JoinedRoom>; standing: string }

/** The real-time channel at `/primus`: people in rooms hear of saves and removes as soon as they are committed. */
export function attachRooms({ server, database, feed, publicUrl }: Parts) {
  const guests = new Set<Guest>()
  const io = new Server(server, {
    path: '/primus',
    transports: ['websocket'],
    destroyUpgrade: false,
    serveClient: false,
    maxHttpBufferSize: limits.frameBytes,
    allowRequest: ({ headers }, answer) => {
      const { origin, host, cookie } = headers
      const isForeign = origin !== undefined && !isOwnOrigin({ origin, host, publicUrl })
      answer(null, !isForeign && readSessionToken(parseCookie(cookie ?? '')) !== undefined)
    },
  })

  io.use((socket, next) => {
    const token = readSessionToken(parseCookie(socket.handshake.headers.cookie ?? ''))
    personOf(token).then(
      (person) => next(person ? undefined : new Error('unauthenticated')),
      () => next(new Error('unavailable')),
    )
  })

  io.on('connection', (socket) => {
    const token = readSessionToken(parseCookie(socket.handshake.headers.cookie ?? '')) ?? ''
    const guest: Guest = { socket, token, rooms: new Map(), standing: '' }
    guests.add(guest)
    socket.on('join', (room: unknown, answer: unknown) => void settle(join(guest, room), answer))
    socket.on('leave', (room: unknown, answer: unknown) => void settle(leave(guest, room), answer))
    socket.on('disconnect', () => guests.delete(guest))
  })

  feed.listen(async (changes) => {
    const joined = [...guests].flatMap(({ rooms }) => [...rooms.values()])
    const rooms = new Map(joined.map((room) => [room.channel, room]))
    const emit = (channel: string, event: string, body: unknown) => io.to(channel).emit(event, body)
    await publishChanges(database, { changes, rooms: [...rooms.values()], emit })
    if (changes.some(({ collection }) => collection === 'accounts')) await recheck([...guests])
  })

  const timer = setInterval(() => void expelEnded().catch(expelAll), limits.checkMs)

  return {
    async close() {
      clearInterval(timer)
      await io.close()
    },
  }

  async function personOf(token: string | undefined): Promise<SessionPerson | undefined> {
    return token === undefined ? undefined : findSessionPerson(database, token)
  }

  async function join(guest: Guest, room: unknown) {
    const person = await personOf(guest.token)
    if (!person) throw new AppError('session_ended', 'Your session has ended.')
    const joined = await checkJoin(database, { person, room })
    const name = String(room)
    if (guest.rooms.size >= limits.roomsPerSocket && !guest.rooms.has(name)) {
      throw new AppError('too_many', 'A socket joins at most 200 rooms.')
    }
    guest.standing ||= standingOf(person)
    guest.rooms.set(name, joined)
    await guest.socket.join(joined.channel)
  }

  async function leave(guest: Guest, room: unknown) {
    if (typeof room !== 'string') throw new AppError('bad_request', 'This is not the name of a room.')
    const joined = guest.rooms.get(room)
    guest.rooms.delete(room)
    if (joined) await guest.socket.leave(joined.channel)
  }

  /** A session that has ended hears nothing more, and one whose roles have changed only what these allow. */
  async function expelEnded() {
    for (const [token, own] of Map.groupBy(guests, (guest) => guest.token)) {
      const person = await personOf(token)
      if (!person) for (const { socket } of own) socket.disconnect(true)
      else await recheck(own.filter(({ standing }) => standing !== '' && standing !== standingOf(person)))
    }
  }

  /** Who can't be checked is not served: the browser connects again and catches up. */
  function expelAll() {
    for (const guest of guests) guest.socket.disconnect(true)
  }

  /** Roles or accounts have changed: who may see less of a room, or more, leaves it, connects again and sees just that. */
  async function recheck(some: readonly Guest[]) {
    for (const guest of some) {
      const person = await personOf(guest.token)
      if (person) guest.standing = standingOf(person)
      for (const [room, { channel }] of guest.rooms) {
        const now = person && (await checkJoin(database, { person, room }).catch(nothing))
        if (now?.channel === channel) continue
        await leave(guest, room)
        guest.socket.disconnect(true)
      }
    }
  }
}

function standingOf({ hyper, memberships }: SessionPerson) {
  return JSON.stringify([hyper, memberships])
}

async function settle(work: Promise<void>, answer: unknown) {
  const result = await work.then(
    () => ({ ok: true }),
    (error: unknown) => ({ error: { code: error instanceof AppError ? error.code : 'internal' } }),
  )
  if (isCallback(answer)) answer(result)
}

function isCallback(value: unknown): value is (result: unknown) => void {
  return typeof value === 'function'
}

const nothing = () => undefined

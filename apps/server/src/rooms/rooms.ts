import type { IncomingHttpHeaders, Server as HttpServer } from 'node:http'
import { resume, type ResumeAnswer, roomsPerSocket } from '@portcullis/contract/rooms'
import { problem } from '@portcullis/contract/errors/problem'
import { Server, type Socket } from 'socket.io'
import { parseCookie } from 'cookie'
import type { ChangeFeed } from '../changes/change-feed.ts'
import { positionText } from '../changes/position.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { unusable } from '../errors/unusable.ts'
import { findPersonOfSession, findSessionPerson, type SessionPerson } from '../sessions/session-store.ts'
import { followRights } from './follow-rights.ts'
import { Guest } from './guest.ts'
import { Guests } from './guests.ts'
import { doorFor, type JoinedRoom } from './join-room.ts'
import { resumeRooms } from './resume-rooms.ts'
import { Teller } from './teller.ts'
import { isOwnOrigin } from '../http/guard-writes.ts'
import { readSessionToken } from '../sessions/session-cookie.ts'
import { lackOf, refusalFor } from '../sessions/complete-sign-in.ts'

const tellPositionMs = 30_000

const frameBytes = 64 * 1024

type Parts = { server: HttpServer; database: Database; feed: ChangeFeed; publicUrl: string | undefined }

/** The real-time channel at `/primus`: people in rooms hear of saves and removes as soon as they are committed. */
export function attachRooms({ server, database, feed, publicUrl }: Parts) {
  const guests = new Guests()
  const io = openSocketServer({
    server,
    publicUrl,
    personOf: (token) => findSessionPerson(database, token),
    onGuest,
  })
  const reached = () => positionText(teller.reached)
  const rights = followRights({ database, guests, reached, onGone: () => io.emit('stalled'), onBack: tellPosition })
  const teller = new Teller({
    database,
    feed,
    roomsOf: (change) => guests.roomsOf(change),
    checkRights: () => rights.check(),
    send: ({ channels, event, contents }) => io.to(channels).emit(event, ...contents),
  })
  const timer = setInterval(tellPosition, tellPositionMs)

  return {
    async close() {
      clearInterval(timer)
      rights.stop()
      await io.close()
    },
  }

  /** Who hears nothing for long would otherwise come back from a place that the outbox does not reach any more. */
  function tellPosition() {
    io.emit('position', reached())
  }

  function onGuest(arrived: { socket: Socket; person: SessionPerson }) {
    const { socket } = arrived
    const guest = new Guest(arrived)
    guests.welcome(guest)
    socket.on('disconnect', () => guests.goodbye(guest))
    socket.on('join', (room: unknown, answer: unknown) => settle(guest, { work: () => join(guest, room), answer }))
    socket.on('leave', (room: unknown, answer: unknown) => settle(guest, { work: () => leave(guest, room), answer }))
    socket.on(resume.event, (body: unknown, answer: unknown) => {
      guest
        .inTurn(() => resumeRooms(partsFor(guest), { body, answer: (result) => reply(answer, result) }))
        .catch((error: unknown) => reply(answer, errorOf(error)))
    })
  }

  async function join(guest: Guest, name: unknown) {
    let generation: number
    let outcome: JoinedRoom | AppError | undefined
    do {
      generation = rights.generation
      outcome = (await check(guest, [name]))[0]
    } while (generation !== rights.generation)
    if (outcome instanceof AppError) throw outcome
    if (outcome) guests.enter(guest, outcome)
  }

  async function leave(guest: Guest, name: unknown) {
    if (typeof name !== 'string') throw unusable('room', problem('invalid_room_name'))
    guests.exit(guest, name)
  }

  function partsFor(guest: Guest) {
    return {
      database,
      teller,
      generation: () => rights.generation,
      check: (names: readonly unknown[]) => check(guest, names),
      enter: (room: JoinedRoom) => guests.enter(guest, room),
      emit: (event: string, ...contents: unknown[]) => void guest.socket.emit(event, ...contents),
    }
  }

  async function check(guest: Guest, names: readonly unknown[]) {
    const person = await findPersonOfSession(database, guest.session)
    if (!person) throw new AppError('session_ended')
    const door = doorFor(database, person)
    const taken = new Set<unknown>(guest.rooms.keys())
    return Promise.all(
      names.map(async (room) => {
        taken.add(room)
        if (taken.size > roomsPerSocket) return new AppError('too_many')
        return door(room).catch(refusal)
      }),
    )
  }
}

function refusal(error: unknown) {
  if (error instanceof AppError) return error
  throw error
}

type Asked = { work: () => Promise<void>; answer: unknown }

function settle(guest: Guest, { work, answer }: Asked) {
  guest.inTurn(work).then(
    () => reply(answer, { ok: true }),
    (error: unknown) => reply(answer, errorOf(error)),
  )
}

function errorOf(error: unknown): ResumeAnswer {
  return { error: { code: error instanceof AppError ? error.code : 'internal' } }
}

/** Whoever does not ask for an answer gets none. */
function reply(answer: unknown, result: ResumeAnswer | { ok: true }) {
  if (isCallback(answer)) answer(result)
}

function isCallback(value: unknown): value is (result: unknown) => void {
  return typeof value === 'function'
}

type SocketServerOptions = {
  server: HttpServer
  publicUrl: string | undefined
  personOf: (token: string) => Promise<SessionPerson | undefined>
  onGuest: (guest: { socket: Socket; person: SessionPerson }) => void
}

/** Takes WebSockets at `/primus` from our own pages and from programs, in a live session; other upgrades are left to others. */
function openSocketServer({ server, publicUrl, personOf, onGuest }: SocketServerOptions) {
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

  /** Returns why a user is denied. */
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

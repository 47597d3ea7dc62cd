import { EventEmitter } from 'node:events'
import type { IncomingHttpHeaders, Server as HttpServer } from 'node:http'
import { resume, type ResumeAnswer, roomsPath, roomsPerSocket } from '@portcullis/contract/rooms'
import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
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
import { Connection } from './connection.ts'
import { Connections } from './connections.ts'
import { roomAuthorizer, type JoinedRoom } from './join-room.ts'
import { resumeRooms } from './resume-rooms.ts'
import { Publisher } from './publisher.ts'
import { clientSchemeReader } from '../http/client-network.ts'
import { isOwnOrigin } from '../http/guard-writes.ts'
import { readSessionToken } from '../sessions/session-cookie.ts'
import { missingStepOf, refusalFor } from '../sessions/complete-sign-in.ts'

const positionMs = 30_000

const frameBytes = 64 * 1024

/** How long a connection may stay open before it is admitted. */
const admissionMs = 10_000

/** Messages and pings that one connection may send, and their characters: more than a console that resumes all its rooms. */
const flood = { most: 1_000, characters: 512 * 1024, perMs: 10_000 } as const

type AttachRoomsOptions = {
  server: HttpServer
  database: Database
  feed: ChangeFeed
  publicUrl: string | undefined
  trustedProxies: readonly string[]
  /** Called with the reason why a user could not join a room. */
  onRefused: (refused: { user: string; route: string; error: unknown }) => void
}

/** The real-time channel at `/primus`: clients in rooms receive saves and removes as soon as they are committed. */
export function attachRooms({ server, database, feed, publicUrl, trustedProxies, onRefused }: AttachRoomsOptions) {
  const connections = new Connections()
  const io = openSocketServer({
    server,
    publicUrl,
    trustedProxies,
    personOf: (token) => findSessionPerson(database, token),
    onConnect,
  })
  const reached = () => positionText(publisher.reached)
  const rights = followRights({
    database,
    connections,
    reached,
    onGone: () => io.emit('stalled'),
    onBack: sendPosition,
  })
  const publisher = new Publisher({
    database,
    feed,
    roomsOf: (change) => connections.roomsOf(change),
    checkRights: () => rights.check(),
    send: ({ channels, event, contents }) => io.to(channels).emit(event, ...contents),
  })
  const timer = setInterval(sendPosition, positionMs)

  return {
    async close() {
      clearInterval(timer)
      rights.stop()
      await io.close()
    },
  }

  /** Without this, a client without messages would resume from a position that the outbox no longer covers. */
  function sendPosition() {
    io.emit('position', reached())
  }

  function onConnect(arrived: { socket: Socket; person: SessionPerson }) {
    const { socket } = arrived
    const connection = new Connection(arrived)
    connections.welcome(connection)
    socket.on('disconnect', () => connections.goodbye(connection))
    socket.on('join', (room: unknown, answer: unknown) =>
      settle(connection, { work: () => join(connection, room), answer }),
    )
    socket.on('leave', (room: unknown, answer: unknown) =>
      settle(connection, { work: () => leave(connection, room), answer }),
    )
    socket.on(resume.event, (body: unknown, answer: unknown) => {
      connection
        .enqueue(() => resumeRooms(partsFor(connection), { body, answer: (result) => reply(answer, result) }))
        .catch((error: unknown) => reply(answer, errorOf(error)))
    })
  }

  async function join(connection: Connection, name: unknown) {
    let generation: number
    let outcome: JoinedRoom | AppError | undefined
    do {
      generation = rights.generation
      outcome = (await check(connection, [name]))[0]
    } while (generation !== rights.generation)
    if (outcome instanceof AppError) {
      onRefused({ user: connection.person, route: `join ${kindOf(name)}`, error: outcome })
      throw outcome
    }
    if (outcome) connections.enter(connection, outcome)
  }

  async function leave(connection: Connection, name: unknown) {
    if (typeof name !== 'string') throw unusable('room', problem('invalid_room_name'))
    connections.exit(connection, name)
  }

  function partsFor(connection: Connection) {
    return {
      database,
      publisher,
      generation: () => rights.generation,
      check: (names: readonly unknown[]) => check(connection, names),
      enter: (room: JoinedRoom) => connections.enter(connection, room),
      emit: (event: string, ...contents: unknown[]) => void connection.socket.emit(event, ...contents),
    }
  }

  async function check(connection: Connection, names: readonly unknown[]) {
    const person = await findPersonOfSession(database, connection.session)
    if (!person) throw new AppError('session_ended')
    const authorizer = roomAuthorizer(database, person)
    const taken = new Set<unknown>(connection.rooms.keys())
    return Promise.all(
      names.map(async (room) => {
        taken.add(room)
        if (taken.size > roomsPerSocket) return new AppError('too_many')
        return authorizer(room).catch(refusal)
      }),
    )
  }
}

/** The entity in the name of a room; names of clients' own making share one route. */
function kindOf(room: unknown) {
  const [kind = ''] = typeof room === 'string' ? room.split(':', 1) : []
  return entities.has(kind) ? kind : 'room'
}

const entities = new Set(Object.values<Collection>(collections).map(({ entity }) => entity))

function refusal(error: unknown) {
  if (error instanceof AppError) return error
  throw error
}

type SettleInput = { work: () => Promise<void>; answer: unknown }

function settle(connection: Connection, { work, answer }: SettleInput) {
  connection.enqueue(work).then(
    () => reply(answer, { ok: true }),
    (error: unknown) => reply(answer, errorOf(error)),
  )
}

function errorOf(error: unknown): ResumeAnswer {
  return { error: { code: error instanceof AppError ? error.code : 'internal' } }
}

/** A client that requests no acknowledgement gets none. */
function reply(answer: unknown, result: ResumeAnswer | { ok: true }) {
  if (isCallback(answer)) answer(result)
}

function isCallback(value: unknown): value is (result: unknown) => void {
  return typeof value === 'function'
}

type SocketServerOptions = {
  server: HttpServer
  publicUrl: string | undefined
  trustedProxies: readonly string[]
  personOf: (token: string) => Promise<SessionPerson | undefined>
  onConnect: (connection: { socket: Socket; person: SessionPerson }) => void
}

/** Takes WebSockets at `/primus` from our own pages and from programs, in a live session. */
function openSocketServer({ server, publicUrl, trustedProxies, personOf, onConnect }: SocketServerOptions) {
  const schemeOf = clientSchemeReader(trustedProxies)
  const io = new Server(server, {
    path: roomsPath,
    transports: ['websocket'],
    destroyUpgrade: false,
    serveClient: false,
    maxHttpBufferSize: frameBytes,
    connectTimeout: admissionMs,
    allowRequest: (request, answer) => {
      const { headers } = request
      const { origin, host } = headers
      const isForeign = origin !== undefined && !isOwnOrigin({ origin, host, protocol: schemeOf(request), publicUrl })
      answer(null, !isForeign && tokenIn(headers, publicUrl) !== undefined)
    },
  })
  const people = new WeakMap<Socket, SessionPerson>()
  const admitted = new WeakSet<Socket['conn']>()

  io.engine.on('connection', closeFloods)

  io.use((socket, next) => {
    const { conn } = socket
    // A client asks once per connection: each request costs a query.
    if (admitted.has(conn)) return conn.close(true)
    admitted.add(conn)
    void admitOrClose(socket, next)
  })

  io.on('connection', (socket) => {
    const person = people.get(socket)
    if (person) onConnect({ socket, person })
  })
  return io

  async function admitOrClose(socket: Socket, next: (refused?: Error) => void) {
    const refused = await admit(socket)
    next(refused)
    // After the refusal has been sent. Otherwise the connection would stay open for ever.
    if (refused) setImmediate(() => socket.conn.close())
  }

  /** Returns why a user is denied. */
  async function admit(socket: Socket) {
    const token = tokenIn(socket.handshake.headers, publicUrl)
    try {
      const person = token === undefined ? undefined : await personOf(token)
      if (!person) return new Error('unauthenticated')
      const lack = missingStepOf(person)
      if (lack) return new Error(refusalFor(lack).code)
      people.set(socket, person)
      return undefined
    } catch (cause) {
      return new Error('unavailable', { cause })
    }
  }
}

/** Closes a connection that sends too much: the time for each message is the server's, and waiting ones are its memory. */
function closeFloods(conn: Socket['conn']) {
  let [sent, characters, since] = [0, 0, performance.now()]
  const count = (length: number) => {
    if (performance.now() - since > flood.perMs) [sent, characters, since] = [0, 0, performance.now()]
    sent += 1
    characters += length
    if (sent > flood.most || characters > flood.characters) conn.close(true)
  }
  conn.on('packet', ({ data }: { data?: unknown }) => count(typeof data === 'string' ? data.length : 0))
  const webSocket: unknown = Reflect.get(conn.transport, 'socket')
  if (webSocket instanceof EventEmitter) webSocket.on('ping', () => count(0))
}

function tokenIn({ cookie }: IncomingHttpHeaders, publicUrl: string | undefined) {
  return readSessionToken(parseCookie(cookie ?? ''), publicUrl)
}

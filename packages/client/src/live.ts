import { isLater, messageMeta, resume, roomName, roomNotice, roomsPerSocket } from '@portcullis/contract/rooms'
import { io, type Socket } from 'socket.io-client'
import type { z } from 'zod'

export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'ended'

export type LiveOptions = {
  baseUrl: string
  appVersion: string
  /** A program outside a browser puts its `Cookie` and `Origin` here. */
  headers?: Record<string, string>
}

type Follower = {
  onSave: (item: unknown) => void
  onRemove: (id: string) => void
  /** What was read before may be old. */
  onGap: (gap: Gap) => void
}

/**
 * `first`: the room has just been joined; who asks from the moment of `follow` on misses nothing, but what was read earlier is to
 * be read anew. `missed`: so is what is being read at this moment: too much was missed to be told, or the room is closed to us.
 */
export type Gap = 'first' | 'missed'

/** All items of an entity in an account, or one. */
type Followed = { entity: string; accountRef: string; item?: string }

/** `sight` is known of a room that was joined. `gap` is what its followers are told when they are in it for the first time. */
type Room = {
  followers: Set<Follower>
  state: 'wanted' | 'joined' | 'refused'
  sight: string | null
  gap: Gap
}

const askAgainMs = 2_000
/** Rights of many change at once where an account is moved: not everybody asks for theirs in the same moment. */
const rightsWithinMs = 300

/**
 * The real-time channel: one socket, and rooms that are joined as long as somebody follows them. After a reconnect followers
 * are told what they missed, in order and once; they notice nothing of it but the time.
 */
export class Live {
  readonly #socket: Socket
  readonly #rooms = new Map<string, Room>()
  readonly #watchers = new Set<(state: LiveState) => void>()
  readonly #rightsWatchers = new Set<() => void>()
  #state: LiveState = 'connecting'
  #timer: ReturnType<typeof setTimeout> | undefined
  #rightsTimer: ReturnType<typeof setTimeout> | undefined
  /** Up to here everything was heard in the rooms that have a sight. */
  #position: string | null = null
  #isAsking = false

  constructor({ baseUrl, appVersion, headers }: LiveOptions) {
    this.#socket = io(baseUrl || undefined, {
      path: '/primus',
      transports: ['websocket'],
      reconnectionAttempts: 100,
      reconnectionDelayMax: 5_000,
      query: { appVersion },
      ...(headers ? { extraHeaders: headers } : {}),
    })
    this.#socket.on('connect', () => this.#onConnect())
    this.#socket.on('disconnect', (reason) => this.#onDisconnect(reason))
    this.#socket.on('connect_error', (error) => this.#onRefused(error))
    this.#socket.io.on('reconnect_failed', () => this.#become('ended'))
    this.#socket.onAny((event: string, ...contents: unknown[]) => this.#onMessage(event, contents))
  }

  get state() {
    return this.#state
  }

  watch(watcher: (state: LiveState) => void) {
    return added(this.#watchers, watcher)
  }

  /** Calls the watcher when what one may do, or where, has changed. */
  watchRights(watcher: () => void) {
    return added(this.#rightsWatchers, watcher)
  }

  /** Follows the items of an entity in an account. Answers the function that ends it. */
  follow({ entity, accountRef, item = '*', ...follower }: Followed & Follower) {
    const name = roomName({ entity, accountRef, item })
    const gap: Gap = this.#socket.connected ? 'first' : 'missed'
    const room: Room = this.#rooms.get(name) ?? { followers: new Set(), state: 'wanted', sight: null, gap }
    if (room.state === 'refused') room.state = 'wanted'
    room.followers.add(follower)
    this.#rooms.set(name, room)
    this.#ask()
    return () => {
      room.followers.delete(follower)
      if (room.followers.size > 0 || this.#rooms.get(name) !== room) return
      this.#rooms.delete(name)
      if (this.#socket.connected) this.#socket.emit('leave', name)
    }
  }

  close() {
    clearTimeout(this.#timer)
    clearTimeout(this.#rightsTimer)
    this.#socket.close()
    this.#rooms.clear()
    this.#watchers.clear()
    this.#rightsWatchers.clear()
  }

  #onConnect() {
    for (const room of this.#rooms.values()) Object.assign(room, { state: 'wanted', gap: 'missed' })
    if (this.#rooms.size === 0) this.#become('live')
    this.#ask()
  }

  #onDisconnect(reason: string) {
    this.#isAsking = false
    if (this.#state === 'ended') return
    this.#become('reconnecting')
    // The server closes what it can't check; the socket would take that as the last word.
    if (reason === 'io server disconnect') this.#connectLater()
  }

  /** Refused at the door, and not tried again by itself: without a session for good, otherwise for now. */
  #onRefused(error: Error) {
    if (this.#socket.active) return this.#become('reconnecting')
    if (error.message === 'unauthenticated') return this.#become('ended')
    this.#become('reconnecting')
    this.#connectLater()
  }

  #connectLater() {
    this.#later(() => this.#socket.connect())
  }

  #later(work: () => void) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(work, askAgainMs)
  }

  /** Asks for every room that is wanted: one question at a time, for only then the position holds for all of them. */
  #ask() {
    const wanted = [...this.#rooms].filter(([, { state }]) => state === 'wanted').slice(0, roomsPerSocket)
    if (this.#isAsking || !this.#socket.connected || wanted.length === 0) return
    const connection = this.#socket.id
    const question: z.input<typeof resume.input> = {
      since: this.#position,
      rooms: wanted.map(([room, { sight }]) => ({ room, sight })),
    }
    this.#isAsking = true
    this.#socket.emit(resume.event, question, (answer: unknown) => {
      if (this.#socket.id !== connection) return
      this.#isAsking = false
      this.#onAnswer(wanted, answer)
    })
  }

  #onAnswer(asked: [string, Room][], answer: unknown) {
    const parsed = resume.output.safeParse(answer)
    if (!parsed.success || 'error' in parsed.data) return this.#later(() => this.#ask())
    this.#position = parsed.data.position
    for (const [index, [name, room]] of asked.entries()) {
      const outcome = parsed.data.rooms[index]
      if (!outcome || this.#rooms.get(name) !== room) continue
      if ('error' in outcome) refuse(room)
      else enter(room, outcome)
    }
    this.#become('live')
    this.#ask()
  }

  #onMessage(event: string, [said, about]: unknown[]) {
    const [entity = '', verb] = event.split(':')
    if (verb === undefined) return this.#onNotice(event, said)
    const meta = messageMeta.safeParse(about)
    if (!meta.success || !hasId(said)) return
    const { position, account: accountRef } = meta.data
    // A room that was joined late is told of what the others have heard already.
    if (this.#position === null || isLater(position, this.#position)) this.#position = position
    for (const id of ['*', said._id]) {
      const room = this.#rooms.get(roomName({ entity, accountRef, item: id }))
      if (room) passOn(room, { verb, item: said })
    }
  }

  #onNotice(event: string, said: unknown) {
    const { data: notice } = roomNotice.safeParse({ notice: event, said })
    switch (notice?.notice) {
      case 'position':
        // While we are told what we missed in some rooms, the others may be ahead of them.
        if (this.#isAsking || this.#isWanting()) return
        this.#position = notice.said
        return this.#become('live')
      case 'stalled':
        return this.#become('reconnecting')
      case 'refetch':
        return enter(this.#rooms.get(notice.said.room), { sight: notice.said.sight, is: 'refetch' })
      case 'left':
        return refuse(this.#rooms.get(notice.said.room))
      case 'rights':
        return this.#onRights()
      case 'ended':
        this.#become('ended')
        return this.#socket.disconnect()
      case undefined:
        return
    }
  }

  /** Soon, and once for all that is told until then. */
  #onRights() {
    this.#rightsTimer ??= setTimeout(() => {
      this.#rightsTimer = undefined
      this.#takeRights()
    }, Math.random() * rightsWithinMs)
  }

  #takeRights() {
    for (const room of this.#rooms.values()) if (room.state === 'refused') room.state = 'wanted'
    this.#ask()
    for (const watcher of this.#rightsWatchers) watcher()
  }

  #isWanting() {
    return [...this.#rooms.values()].some(({ state }) => state === 'wanted')
  }

  #become(state: LiveState) {
    if (this.#state === state) return
    this.#state = state
    for (const watcher of this.#watchers) watcher(state)
  }
}

function enter(room: Room | undefined, { sight, is }: { sight: string; is: 'current' | 'joined' | 'refetch' }) {
  if (!room) return
  room.state = 'joined'
  room.sight = sight
  if (is === 'joined') tellGap(room, room.gap)
  if (is === 'refetch') tellGap(room, 'missed')
}

function refuse(room: Room | undefined) {
  if (!room) return
  const wasJoined = room.sight !== null
  room.state = 'refused'
  room.sight = null
  if (wasJoined) tellGap(room, 'missed')
}

function tellGap({ followers }: Room, gap: Gap) {
  for (const follower of followers) follower.onGap(gap)
}

function added<W>(watchers: Set<W>, watcher: W) {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

function passOn({ followers }: Room, { verb, item }: { verb: string; item: { _id: string } }) {
  for (const follower of followers) {
    if (verb === 'save') follower.onSave(item)
    if (verb === 'remove') follower.onRemove(item._id)
  }
}

function hasId(item: unknown): item is { _id: string } {
  return typeof item === 'object' && item !== null && '_id' in item && typeof item._id === 'string'
}

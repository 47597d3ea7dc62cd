import {
  isLater,
  messageMeta,
  resume,
  roomName,
  roomNotice,
  roomsPath,
  roomsPerSocket,
} from '@portcullis/contract/rooms'
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
  /** Data that was read before may be out of date. */
  onGap: (gap: Gap) => void
}

/**
 * `first`: the room has just been joined. Reads that started after `follow` are complete; earlier ones must be
 * repeated. `missed`: reads under way must be repeated too, because too many changes were missed to replay, or the room
 * was closed for this client.
 */
export type Gap = 'first' | 'missed'

/** All items of an entity in an account, or one. */
type Subscription = { entity: string; accountRef: string; item?: string }

/** `scope` is set once the room was joined; `gap` is what its followers get when it is joined for the first time. */
type Room = {
  followers: Set<Follower>
  state: 'pending' | 'joined' | 'refused'
  scope: string | null
  gap: Gap
}

const retryMs = 2_000
/** Moving an account changes the rights of many users at once; a random delay up to this spreads their requests. */
const rightsWithinMs = 300

/**
 * The real-time channel: one socket, and rooms that stay joined while they have followers. After a reconnect, followers
 * get the messages that they missed, in order and once.
 */
export class Live {
  readonly #socket: Socket
  readonly #rooms = new Map<string, Room>()
  readonly #watchers = new Set<(state: LiveState) => void>()
  readonly #rightsWatchers = new Set<() => void>()
  #state: LiveState = 'connecting'
  #timer: ReturnType<typeof setTimeout> | undefined
  #rightsTimer: ReturnType<typeof setTimeout> | undefined
  /** All changes up to this position have arrived in the rooms that have a `scope`. */
  #position: string | null = null
  #isResuming = false

  constructor({ baseUrl, appVersion, headers }: LiveOptions) {
    this.#socket = io(baseUrl || undefined, {
      path: roomsPath,
      transports: ['websocket'],
      reconnectionAttempts: 100,
      reconnectionDelayMax: 5_000,
      query: { appVersion },
      ...(headers ? { extraHeaders: headers } : {}),
    })
    this.#socket.on('connect', () => this.#onConnect())
    this.#socket.on('disconnect', (reason) => this.#onDisconnect(reason))
    this.#socket.on('connect_error', (error) => this.#onRefused(error))
    this.#socket.io.on('reconnect_failed', () => this.#setState('ended'))
    this.#socket.onAny((event: string, ...contents: unknown[]) => this.#onMessage(event, contents))
  }

  get state() {
    return this.#state
  }

  watch(watcher: (state: LiveState) => void) {
    return addWatcher(this.#watchers, watcher)
  }

  /** Calls the watcher when the user's rights or accounts have changed. */
  watchRights(watcher: () => void) {
    return addWatcher(this.#rightsWatchers, watcher)
  }

  /** Follows the items of an entity in an account. Returns the function that ends it. */
  follow({ entity, accountRef, item = '*', ...follower }: Subscription & Follower) {
    const name = roomName({ entity, accountRef, item })
    const gap: Gap = this.#socket.connected ? 'first' : 'missed'
    const room: Room = this.#rooms.get(name) ?? { followers: new Set(), state: 'pending', scope: null, gap }
    if (room.state === 'refused') room.state = 'pending'
    room.followers.add(follower)
    this.#rooms.set(name, room)
    this.#resumeRooms()
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
    for (const room of this.#rooms.values()) Object.assign(room, { state: 'pending', gap: 'missed' })
    if (this.#rooms.size === 0) this.#setState('live')
    this.#resumeRooms()
  }

  #onDisconnect(reason: string) {
    this.#isResuming = false
    if (this.#state === 'ended') return
    this.#setState('reconnecting')
    // The server closes connections that it cannot check, and the socket does not reconnect by itself after that.
    if (reason === 'io server disconnect') this.#connectLater()
  }

  /** The socket does not retry refused connections. Without a session the channel ends; otherwise it retries later. */
  #onRefused(error: Error) {
    if (this.#socket.active) return this.#setState('reconnecting')
    if (error.message === 'unauthenticated') return this.#setState('ended')
    this.#setState('reconnecting')
    this.#connectLater()
  }

  #connectLater() {
    this.#retryLater(() => this.#socket.connect())
  }

  #retryLater(work: () => void) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(work, retryMs)
  }

  /** Joins all pending rooms in one request at a time, so that the position applies to all of them. */
  #resumeRooms() {
    const pending = [...this.#rooms].filter(([, { state }]) => state === 'pending').slice(0, roomsPerSocket)
    if (this.#isResuming || !this.#socket.connected || pending.length === 0) return
    const connection = this.#socket.id
    const input: z.input<typeof resume.input> = {
      since: this.#position,
      rooms: pending.map(([room, { scope }]) => ({ room, scope })),
    }
    this.#isResuming = true
    this.#socket.emit(resume.event, input, (answer: unknown) => {
      if (this.#socket.id !== connection) return
      this.#isResuming = false
      this.#onResumed(pending, answer)
    })
  }

  #onResumed(requested: [string, Room][], answer: unknown) {
    const parsed = resume.output.safeParse(answer)
    if (!parsed.success || 'error' in parsed.data) return this.#retryLater(() => this.#resumeRooms())
    this.#position = parsed.data.position
    for (const [index, [name, room]] of requested.entries()) {
      const outcome = parsed.data.rooms[index]
      if (!outcome || this.#rooms.get(name) !== room) continue
      if ('error' in outcome) refuse(room)
      else enter(room, outcome)
    }
    this.#setState('live')
    this.#resumeRooms()
  }

  #onMessage(event: string, [payload, metaInput]: unknown[]) {
    const [entity = '', verb] = event.split(':')
    if (verb === undefined) return this.#onNotice(event, payload)
    const meta = messageMeta.safeParse(metaInput)
    if (!meta.success || !hasId(payload)) return
    const { position, account: accountRef } = meta.data
    // A room that was joined late gets messages that the others have already received.
    if (this.#position === null || isLater(position, this.#position)) this.#position = position
    for (const id of ['*', payload._id]) {
      const room = this.#rooms.get(roomName({ entity, accountRef, item: id }))
      if (room) deliver(room, { verb, item: payload })
    }
  }

  #onNotice(event: string, data: unknown) {
    const { data: notice } = roomNotice.safeParse({ notice: event, data })
    switch (notice?.notice) {
      case 'position':
        // While some rooms still catch up on missed messages, the others may be ahead of them.
        if (this.#isResuming || this.#hasPendingRooms()) return
        this.#position = notice.data
        return this.#setState('live')
      case 'stalled':
        return this.#setState('reconnecting')
      case 'refetch':
        return enter(this.#rooms.get(notice.data.room), { scope: notice.data.scope, is: 'refetch' })
      case 'left':
        return refuse(this.#rooms.get(notice.data.room))
      case 'rights':
        return this.#onRights()
      case 'ended':
        this.#setState('ended')
        return this.#socket.disconnect()
      case undefined:
        return
    }
  }

  /** Delayed, so that several notices cause only one refresh. */
  #onRights() {
    this.#rightsTimer ??= setTimeout(() => {
      this.#rightsTimer = undefined
      this.#refreshRights()
    }, Math.random() * rightsWithinMs)
  }

  #refreshRights() {
    for (const room of this.#rooms.values()) if (room.state === 'refused') room.state = 'pending'
    this.#resumeRooms()
    for (const watcher of this.#rightsWatchers) watcher()
  }

  #hasPendingRooms() {
    return [...this.#rooms.values()].some(({ state }) => state === 'pending')
  }

  #setState(state: LiveState) {
    if (this.#state === state) return
    this.#state = state
    for (const watcher of this.#watchers) watcher(state)
  }
}

function enter(room: Room | undefined, { scope, is }: { scope: string; is: 'current' | 'joined' | 'refetch' }) {
  if (!room) return
  room.state = 'joined'
  room.scope = scope
  if (is === 'joined') notifyGap(room, room.gap)
  if (is === 'refetch') notifyGap(room, 'missed')
}

function refuse(room: Room | undefined) {
  if (!room) return
  const wasJoined = room.scope !== null
  room.state = 'refused'
  room.scope = null
  if (wasJoined) notifyGap(room, 'missed')
}

function notifyGap({ followers }: Room, gap: Gap) {
  for (const follower of followers) follower.onGap(gap)
}

function addWatcher<W>(watchers: Set<W>, watcher: W) {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

function deliver({ followers }: Room, { verb, item }: { verb: string; item: { _id: string } }) {
  for (const follower of followers) {
    if (verb === 'save') follower.onSave(item)
    if (verb === 'remove') follower.onRemove(item._id)
  }
}

function hasId(item: unknown): item is { _id: string } {
  return typeof item === 'object' && item !== null && '_id' in item && typeof item._id === 'string'
}

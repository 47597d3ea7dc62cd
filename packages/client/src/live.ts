import { roomName } from '@portcullis/contract/rooms'
import { io, type Socket } from 'socket.io-client'

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
  /**
   * Called whenever the room has been joined, at first and again after a reconnect, and when it is closed to us from now
   * on: what was read before may be old.
   */
  onGap: () => void
}

const askAgainMs = 2_000

/** The real-time channel: one socket, rooms joined as long as somebody follows them, joined again after a reconnect. */
export class Live {
  readonly #socket: Socket
  readonly #followers = new Map<string, { entity: string; all: Set<Follower>; isJoined: boolean }>()
  readonly #watchers = new Set<(state: LiveState) => void>()
  #state: LiveState = 'connecting'
  #timer: ReturnType<typeof setTimeout> | undefined

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
    this.#socket.onAny((event: string, body: unknown) => this.#onMessage(event, body))
  }

  get state() {
    return this.#state
  }

  watch(watcher: (state: LiveState) => void) {
    this.#watchers.add(watcher)
    return () => {
      this.#watchers.delete(watcher)
    }
  }

  /** Follows all items of an entity in an account. Answers the function that ends it. */
  follow({ entity, accountRef, ...follower }: { entity: string; accountRef: string } & Follower) {
    const room = roomName({ entity, accountRef, item: '*' })
    const known = this.#followers.get(room)
    const followers = known ?? { entity, all: new Set<Follower>(), isJoined: false }
    followers.all.add(follower)
    if (!known) {
      this.#followers.set(room, followers)
      if (this.#socket.connected) this.#join(room)
    }
    return () => {
      followers.all.delete(follower)
      if (followers.all.size > 0) return
      this.#followers.delete(room)
      this.#socket.emit('leave', room)
    }
  }

  close() {
    clearTimeout(this.#timer)
    this.#socket.close()
    this.#followers.clear()
    this.#watchers.clear()
  }

  #onConnect() {
    for (const room of this.#followers.keys()) this.#join(room)
    this.#become('live')
  }

  #onDisconnect(reason: string) {
    this.#become('reconnecting')
    // The server closes what it can't check; the socket would take that as the last word.
    if (reason === 'io server disconnect') this.#askAgain()
  }

  /** Refused at the door, and not tried again by itself: without a session for good, otherwise for now. */
  #onRefused(error: Error) {
    if (this.#socket.active) return this.#become('reconnecting')
    if (error.message === 'unauthenticated') return this.#become('ended')
    this.#become('reconnecting')
    this.#askAgain()
  }

  #askAgain() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#socket.connect(), askAgainMs)
  }

  #join(room: string) {
    this.#socket.emit('join', room, (answer: unknown) => {
      const followers = this.#followers.get(room)
      if (!followers) return
      const wasJoined = followers.isJoined
      followers.isJoined = isAccepted(answer)
      if (followers.isJoined || wasJoined) for (const follower of followers.all) follower.onGap()
    })
  }

  #onMessage(event: string, body: unknown) {
    const [entity, verb] = event.split(':')
    for (const followers of this.#followers.values()) {
      if (followers.entity !== entity) continue
      for (const follower of followers.all) {
        if (verb === 'save') follower.onSave(body)
        if (verb === 'remove' && hasId(body)) follower.onRemove(body._id)
      }
    }
  }

  #become(state: LiveState) {
    this.#state = state
    for (const watcher of this.#watchers) watcher(state)
  }
}

function isAccepted(answer: unknown) {
  return typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === true
}

function hasId(body: unknown): body is { _id: string } {
  return typeof body === 'object' && body !== null && '_id' in body && typeof body._id === 'string'
}

import type { Socket } from 'socket.io'
import { AppError } from '../errors/app-error.ts'
import type { SessionPerson } from '../sessions/session-store.ts'
import type { JoinedRoom } from './join-room.ts'

/** Requests of one socket that wait for their turn: as many as rooms are joined and left at once. */
const maxQueued = 400

/** Some seconds of the busiest room. */
const maxUnsent = { messages: 2_000, characters: 4 * 1024 * 1024 } as const

type ConnectionOptions = { socket: Socket; person: SessionPerson }

/** One connection of a user, and the rooms it has joined. */
export class Connection {
  readonly socket: Socket
  /** The `_id` of the user's session, whose token may change. */
  readonly session: string
  readonly person: string
  readonly rooms = new Map<string, JoinedRoom>()
  #standing: string
  #scope: string | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #unsent = { messages: 0, characters: 0 }

  constructor({ socket, person }: ConnectionOptions) {
    this.socket = socket
    this.session = person.session._id
    this.person = person._id
    this.#standing = standingOf(person)
    socket.conn.on('packetCreate', ({ data }: { data?: unknown }) => {
      this.#unsent.messages += 1
      this.#unsent.characters += typeof data === 'string' ? data.length : 0
    })
    socket.conn.on('flush', () => {
      this.#unsent = { messages: 0, characters: 0 }
    })
  }

  /** Whether too much waits for this client, because earlier messages have not left yet. */
  get isSlow() {
    return this.#unsent.messages > maxUnsent.messages || this.#unsent.characters > maxUnsent.characters
  }

  /** Carries out requests one after the other, in their order. */
  enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= maxQueued) return Promise.reject(new AppError('too_many'))
    this.#waiting += 1
    const done = this.#turn.then(work).finally(() => {
      this.#waiting -= 1
    })
    this.#turn = done.catch(() => {})
    return done
  }

  /**
   * Stores the user's current rights, and the newest change of the accounts that they see; returns whether either has
   * changed.
   */
  updateIfChanged({ person, scope }: { person: SessionPerson; scope: string | undefined }) {
    const [standing, seen] = [this.#standing, this.#scope]
    this.#standing = standingOf(person)
    this.#scope = scope ?? seen
    return standing !== this.#standing || seen !== this.#scope
  }
}

/** Everything sent to a user about themselves but the session, which changes by the clock. */
function standingOf(person: SessionPerson) {
  return JSON.stringify({ ...person, session: null })
}

import type { Socket } from 'socket.io'
import { AppError } from '../errors/app-error.ts'
import type { SessionPerson } from '../sessions/session-store.ts'
import type { JoinedRoom } from './join-room.ts'

/** Questions of one socket that wait for their turn: as many as rooms are joined and left at once. */
const mostWaiting = 400

/** Some seconds of the busiest room there is. */
const mostUnsent = { messages: 2_000, characters: 4 * 1024 * 1024 } as const

type Parts = { socket: Socket; person: SessionPerson }

/** One connection of somebody, and the rooms that they are in. */
export class Guest {
  readonly socket: Socket
  /** The `_id` of their session, whose token may change. */
  readonly session: string
  readonly person: string
  readonly rooms = new Map<string, JoinedRoom>()
  #standing: string
  #sight: string | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #unsent = { messages: 0, characters: 0 }

  constructor({ socket, person }: Parts) {
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

  /** Whether too much waits for this reader, because what was sent before has not left yet. */
  get isSlow() {
    return this.#unsent.messages > mostUnsent.messages || this.#unsent.characters > mostUnsent.characters
  }

  /** Does one thing after the other, in the order in which they were asked for. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= mostWaiting) return Promise.reject(new AppError('too_many'))
    this.#waiting += 1
    const done = this.#turn.then(work).finally(() => {
      this.#waiting -= 1
    })
    this.#turn = done.catch(() => {})
    return done
  }

  /**
   * Notes how the person stands now, and the newest change of the accounts that they see; answers whether either is something
   * else than before.
   */
  isOtherThanBefore({ person, sight }: { person: SessionPerson; sight: string | undefined }) {
    const [standing, seen] = [this.#standing, this.#sight]
    this.#standing = standingOf(person)
    this.#sight = sight ?? seen
    return standing !== this.#standing || seen !== this.#sight
  }
}

/** All that they are told of themselves but the session, which changes by the clock. */
function standingOf(person: SessionPerson) {
  return JSON.stringify({ ...person, session: null })
}

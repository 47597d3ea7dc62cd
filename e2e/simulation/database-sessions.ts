import { connect, type Socket } from 'node:net'
import { greetingIn, MessageTypes, simpleQuery } from './postgres-messages.ts'

const endOfSession = simpleQuery('rollback; select pg_advisory_unlock_all()')

/**
 * Sessions of PostgreSQL that connections of servers use one after the other: opening one takes as long as a hundred
 * statements. The end of a connection ends its transaction and its locks, as the end of a session does.
 */
export class DatabaseSessions {
  readonly #target: { host: string; port: number }
  readonly #idle = new Map<string, Session[]>()
  readonly #all = new Set<Session>()
  #waiting: PromiseWithResolvers<void> | undefined

  constructor(url: string) {
    const { hostname: host, port } = new URL(url)
    this.#target = { host, port: Number(port) }
  }

  /** An idle session with these settings, or a new one, for which the client proves its password. */
  take(startup: Buffer) {
    const key = startup.toString('latin1')
    const session = this.#idle.get(key)?.pop() ?? this.#open(startup)
    session.end = () => this.#end(session, key)
    return session
  }

  /** Resolves when no answer is pending; undefined if none is now. */
  answered() {
    if (![...this.#all].some(({ pending }) => pending > 0)) return undefined
    this.#waiting ??= Promise.withResolvers<void>()
    return this.#waiting.promise
  }

  close() {
    for (const { socket } of this.#all) socket.destroy()
  }

  #open(startup: Buffer) {
    const session = new Session(connect({ ...this.#target, noDelay: true }), () => this.#noteAnswers())
    this.#all.add(session)
    session.socket.on('close', () => {
      this.#all.delete(session)
      this.#noteAnswers()
    })
    session.send(startup, 1)
    return session
  }

  #end(session: Session, key: string) {
    if (session.greeting === undefined) return void session.socket.destroy()
    let isEnded = false
    session.onAnswer = () => {
      if (session.pending > 0) return
      if (isEnded) return void this.#idle.set(key, [...(this.#idle.get(key) ?? []), session])
      isEnded = true
      session.send(endOfSession, 1)
    }
    session.onAnswer(Buffer.alloc(0))
  }

  #noteAnswers() {
    if (this.#waiting === undefined || [...this.#all].some(({ pending }) => pending > 0)) return
    this.#waiting.resolve()
    this.#waiting = undefined
  }
}

export class Session {
  readonly socket: Socket
  /** What PostgreSQL sent when the session began; undefined until then. */
  greeting: Buffer | undefined
  /** Batches of statements without an answer. */
  pending = 0
  onAnswer: (bytes: Buffer) => void = () => {}
  /** The client is gone. */
  end: () => void = () => {}
  readonly #types = new MessageTypes()
  #signIn = Buffer.alloc(0)

  constructor(socket: Socket, onAnswered: () => void) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      const ready = this.#types.read(bytes).filter((type) => type === 'Z').length
      this.pending -= ready
      if (this.greeting === undefined) this.#signIn = Buffer.concat([this.#signIn, bytes])
      if (this.greeting === undefined && ready > 0) this.greeting = greetingIn(this.#signIn)
      this.onAnswer(bytes)
      if (ready > 0) onAnswered()
    })
  }

  /** `batches`: how many answers are due. */
  send(bytes: Buffer, batches: number) {
    this.pending += batches
    this.socket.write(bytes)
  }
}

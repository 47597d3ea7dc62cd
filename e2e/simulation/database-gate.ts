import { createServer, type Server, type Socket } from 'node:net'
import type { DatabaseSessions, Session } from './database-sessions.ts'
import { MessageTypes } from './postgres-messages.ts'

/** A server whose process ends while the database works for it. */
export type CrashPoint = {
  /** It ends at its n-th batch of statements from now. */
  after: number
  /** Whether the database still gets the batch, and so may commit it. */
  isSent: boolean
  crash: () => void
}

type Connection = { client: Socket; session: Session | undefined }

/** The way of one server to PostgreSQL: it ends the server at a chosen batch of statements, or cuts it off. */
export class DatabaseGate {
  readonly #sessions: DatabaseSessions
  readonly #listener: Server
  readonly #connections = new Set<Connection>()
  #isOpen = true
  crashPoint: CrashPoint | undefined

  private constructor(sessions: DatabaseSessions, listener: Server) {
    this.#sessions = sessions
    this.#listener = listener
  }

  static async open(sessions: DatabaseSessions) {
    const listener = createServer({ noDelay: true })
    const gate = new DatabaseGate(sessions, listener)
    listener.on('connection', (client) => gate.#accept(client))
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    return gate
  }

  /** The same database through this gate. */
  through(url: string) {
    const address = this.#listener.address()
    const changed = new URL(url)
    changed.hostname = '127.0.0.1'
    if (address !== null && typeof address === 'object') changed.port = String(address.port)
    return changed.href
  }

  /** Ends all connections and refuses new ones. */
  cut() {
    this.#isOpen = false
    this.crashPoint = undefined
    for (const connection of this.#connections) this.#end(connection)
  }

  restore() {
    this.#isOpen = true
  }

  close() {
    this.cut()
    this.#listener.close()
  }

  #accept(client: Socket) {
    client.on('error', () => {})
    if (!this.#isOpen) return void client.destroy()
    const connection: Connection = { client, session: undefined }
    this.#connections.add(connection)
    const types = new MessageTypes()
    client.on('data', (bytes: Buffer) => {
      if (connection.session) this.#forward(connection, { bytes, types: types.read(bytes) })
      // The first message is small, so it arrives whole.
      else this.#begin(connection, bytes)
    })
    client.on('close', () => this.#end(connection))
  }

  #begin(connection: Connection, startup: Buffer) {
    const session = this.#sessions.take(startup)
    connection.session = session
    session.onAnswer = (bytes) => connection.client.write(bytes)
    if (session.greeting) connection.client.write(session.greeting)
  }

  #forward({ client, session }: Connection, { bytes, types }: { bytes: Buffer; types: string[] }) {
    if (types.includes('X')) return void client.destroy()
    const batches = types.filter((type) => type === 'S' || type === 'Q').length
    const point = this.crashPoint
    const isCrash = point !== undefined && batches > 0 && (point.after -= batches) < 0
    if (!isCrash || point.isSent) session?.send(bytes, batches)
    if (!isCrash) return
    this.cut()
    point.crash()
  }

  #end(connection: Connection) {
    if (!this.#connections.delete(connection)) return
    connection.client.destroy()
    connection.session?.end()
  }
}

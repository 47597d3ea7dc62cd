import pg from 'pg'
import { z } from 'zod'

const channel = 'portcullis_change'
const connectAgainMs = 1_000
/** The engine has no NOTIFY: it may have been updated by the next attempt. */
const refetchMs = 300_000
/** The interval between two notifications, however many changes are made. */
const gatherMs = 20

/**
 * Notifies the other servers of commits, and receives their notices. A notice is only a hint, sent on a separate
 * connection, outside the transactions that change data.
 */
export class ChangeNotifier {
  readonly #databaseUrl: string
  readonly #onHint: () => void
  #client: pg.Client | undefined
  #connecting: NodeJS.Timeout | undefined
  #gathering: NodeJS.Timeout | undefined
  #isNotified = true
  #isStopped = false
  /** A connection takes one statement at a time. */
  #sending: Promise<unknown> = Promise.resolve()

  constructor({ databaseUrl, onHint }: { databaseUrl: string; onHint: () => void }) {
    this.#databaseUrl = databaseUrl
    this.#onHint = onHint
  }

  start() {
    void this.#connect()
  }

  /** Notifies at once, and bundles further changes within a moment. */
  notify() {
    this.#isNotified = false
    if (this.#gathering !== undefined) return
    this.#send()
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined
      if (!this.#isNotified) this.notify()
    }, gatherMs)
  }

  async stop() {
    this.#isStopped = true
    clearTimeout(this.#connecting)
    clearTimeout(this.#gathering)
    await this.#client?.end().catch(() => {})
  }

  #send() {
    this.#isNotified = true
    this.#sending = this.#sending.then(() => this.#client?.query(`notify ${channel}`)).catch(() => {})
  }

  async #connect() {
    const client = new pg.Client({ connectionString: this.#databaseUrl, connectionTimeoutMillis: 5_000 })
    const again = (delayMs: number) => {
      if (this.#client !== client) return
      this.#client = undefined
      if (!this.#isStopped) this.#connecting = setTimeout(() => void this.#connect(), delayMs)
    }
    this.#client = client
    client.on('error', () => again(connectAgainMs))
    client.on('end', () => again(connectAgainMs))
    const listening = listen(client, this.#onHint)
    this.#sending = listening.catch(() => {})
    await listening.catch(async (error: unknown) => {
      again(isUnknownHere(error) ? refetchMs : connectAgainMs)
      await client.end().catch(() => {})
    })
  }
}

async function listen(client: pg.Client, onHint: () => void) {
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const [own] = z.array(z.object({ pid: z.int() })).parse(rows)
  client.on('notification', ({ processId }) => {
    if (processId !== own?.pid) onHint()
  })
  await client.query(`listen ${channel}`)
}

/** feature_not_supported, or a statement that the engine does not know. */
function isUnknownHere(error: unknown) {
  return error instanceof pg.DatabaseError && (error.code?.startsWith('0A') || error.code?.startsWith('42')) === true
}

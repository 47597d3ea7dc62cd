import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/**
 * This server as the holder of leases. As long as its process lives, a session of the database holds a lock under its id,
 * so that another server (or this one, started again) need not wait for the leases of a dead one to run out.
 */
export class InstanceLock {
  readonly id = randomUUID()
  readonly #databaseUrl: string
  #client: pg.Client | undefined
  #isStopped = false

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl
  }

  async start() {
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    client.on('error', () => {})
    await client.connect()
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [this.id])
    this.#client = client
    client.once('end', () => void this.#again())
  }

  async stop() {
    this.#isStopped = true
    await this.#client?.end().catch(() => {})
  }

  async #again() {
    while (!this.#isStopped) {
      await delay(500)
      if (await this.start().then(yes, no)) return
    }
  }
}

const yes = () => true
const no = () => false

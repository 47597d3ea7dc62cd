import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError } from '../config-error.ts'
import { keyLock } from './key-lock.ts'

type InstanceLockOptions = {
  databaseUrl: string
  /** Rejects with a ConfigError if the installation has another key than this server. */
  confirmKey: () => Promise<void>
  /** The key was rotated while this server had no session: it must end. */
  onOtherKey: (error: ConfigError) => void
}

const retryMs = 500

/**
 * This server as the holder of leases. As long as its process lives, a database session holds a lock under its id,
 * so that another server (or this one, restarted) need not wait for the leases of a dead one to expire. The session also
 * keeps the installation's key from being rotated; one that was lost is replaced, and the key compared again.
 */
export class InstanceLock {
  readonly id = randomUUID()
  readonly #options: InstanceLockOptions
  #client: pg.Client | undefined
  #isStopped = false

  constructor(options: InstanceLockOptions) {
    this.#options = options
  }

  async start() {
    this.#keep(await this.#lock())
  }

  async stop() {
    this.#isStopped = true
    await this.#client?.end().catch(() => {})
  }

  #keep(client: pg.Client) {
    this.#client = client
    client.once('end', () => void this.#again())
  }

  async #lock() {
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [this.id])
      await client.query(`select pg_advisory_lock_shared(${keyLock.sql})`)
      return client
    } catch (error) {
      // A session that has the first lock would keep this server from getting it again.
      await client.end().catch(none)
      throw error
    }
  }

  async #again() {
    while (!this.#isStopped) {
      await delay(retryMs)
      const client = await this.#lock().catch(none)
      // Also without a session: a rotation removes the logins of the earlier key.
      const fault = await this.#options.confirmKey().then(none, (error: unknown) => error)
      if (fault instanceof ConfigError) return this.#options.onOtherKey(fault)
      const isHeld = client !== undefined && fault === undefined && (await client.query('select').then(yes, no))
      if (isHeld && !this.#isStopped) return this.#keep(client)
      await client?.end().catch(none)
    }
  }
}

const none = () => undefined
const yes = () => true
const no = () => false

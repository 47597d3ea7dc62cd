import pg from 'pg'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

const row = z.object({
  xid: z.string(),
  id: z.number(),
  account: z.int(),
  collection: z.string(),
  item: z.uuid(),
  action: z.enum(['save', 'remove']),
  isPolicy: z.boolean(),
})

export type CommittedChange = z.output<typeof row>
type Listener = (changes: readonly CommittedChange[]) => Promise<void> | void
type Position = { xid: string; id: number }

const timing = {
  /** Between two looks at the outbox while hints come: what arrives together is told together. */
  batchMs: 30,
  /** A hint may come a moment before its transaction can be read, because an older one is still open. */
  eagerMs: 600,
  /** Without any hint; the only thing needed where the database has no NOTIFY. */
  pollMs: 1_000,
  keptHours: 1,
} as const

const channel = 'portcullis_change'
const batch = 1_000

/**
 * Follows the outbox in the order of transactions, never past one that is still open, so that nothing committed late is
 * missed. `hint` and NOTIFY only make it look sooner.
 */
export class ChangeFeed {
  readonly #database: Database
  readonly #databaseUrl: string
  readonly #listeners: Listener[] = []
  #position: Position | undefined
  #timer: NodeJS.Timeout | undefined
  #eagerUntil = 0
  #isLooking = false
  #isStopped = false
  #notifier: pg.Client | undefined
  #notifyTimer: NodeJS.Timeout | undefined
  /** A connection takes one statement at a time. */
  #notifying: Promise<unknown> = Promise.resolve()

  constructor({ database, databaseUrl }: { database: Database; databaseUrl: string }) {
    this.#database = database
    this.#databaseUrl = databaseUrl
  }

  listen(listener: Listener) {
    this.#listeners.push(listener)
  }

  async start() {
    this.#position = await this.#now()
    void this.#connectNotifier()
    this.#schedule(timing.pollMs)
  }

  /** Something was committed here: look soon, and let the other servers look. */
  hint() {
    this.#wake()
    this.#notifyTimer ??= setTimeout(() => {
      this.#notifyTimer = undefined
      this.#notifying = this.#notifying.then(() => this.#notifier?.query(`notify ${channel}`)).catch(() => {})
    }, timing.batchMs)
  }

  async stop() {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearTimeout(this.#notifyTimer)
    await this.#notifier?.end().catch(() => {})
  }

  /** Forgets what everybody has heard of long ago. */
  prune() {
    return this.#database.asSystem((tx) =>
      tx.run(sql`delete from change where change_at < now() - make_interval(hours => ${timing.keptHours})`),
    )
  }

  #wake() {
    this.#eagerUntil = Date.now() + timing.eagerMs
    if (!this.#isLooking) this.#schedule(timing.batchMs)
  }

  #schedule(delayMs: number) {
    if (this.#isStopped) return
    if (delayMs === timing.batchMs && this.#timer !== undefined && this.#isSoon) return
    clearTimeout(this.#timer)
    this.#isSoon = delayMs === timing.batchMs
    this.#timer = setTimeout(() => void this.#look(), delayMs)
  }
  #isSoon = false

  async #look() {
    this.#timer = undefined
    this.#isLooking = true
    try {
      const changes = await this.#read()
      const last = changes.at(-1)
      if (!last) return
      for (const listener of this.#listeners) await listener(changes)
      this.#position = { xid: last.xid, id: last.id }
      this.#eagerUntil = Date.now() + timing.eagerMs
    } catch {
      // The database is away; the next look continues at the same position, and tells again what not everybody has heard.
    } finally {
      this.#isLooking = false
      this.#schedule(Date.now() < this.#eagerUntil ? timing.batchMs : timing.pollMs)
    }
  }

  async #read() {
    this.#position ??= await this.#now()
    const { xid, id } = this.#position
    return this.#database.asSystem((tx) =>
      tx.rows(
        row,
        sql`select change_xid::text as xid, change_id as id, change_account as account, change_item as item,
               change_collection as collection, change_action as action, change_is_policy as "isPolicy"
              from change
             where (change_xid, change_id) > (${xid}::xid8, ${id})
               and change_xid < pg_snapshot_xmin(pg_current_snapshot())
             order by change_xid, change_id limit ${batch}`,
      ),
    )
  }

  async #now(): Promise<Position> {
    const found = await this.#database.asSystem((tx) =>
      tx.first(z.object({ xid: z.string() }), sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`),
    )
    return { xid: found?.xid ?? '0', id: 0 }
  }

  async #connectNotifier() {
    if (this.#isStopped) return
    const client = new pg.Client({ connectionString: this.#databaseUrl, connectionTimeoutMillis: 5_000 })
    const again = () => {
      if (this.#notifier !== client) return
      this.#notifier = undefined
      if (!this.#isStopped) setTimeout(() => void this.#connectNotifier(), timing.pollMs)
    }
    this.#notifier = client
    client.on('error', again)
    client.on('end', again)
    client.on('notification', () => this.#wake())
    this.#notifying = client.connect().then(() => client.query(`listen ${channel}`))
    await this.#notifying.catch(again)
  }
}

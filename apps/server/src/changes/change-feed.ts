import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { Logins } from '../database/logins.ts'
import { ChangeNotifier } from './change-notifier.ts'
import { changeColumns, type CommittedChange, committedChange } from './committed-change.ts'
import type { Position } from './position.ts'

/** Clients that were away longer load everything again. */
const retentionMinutes = 60

type Listener = (changes: readonly CommittedChange[]) => Promise<void> | void

const timing = {
  /** Changes are gathered for this many milliseconds, so that they are read and delivered together. */
  gatherMs: 25,
  /** Between two reads: where hints come all the time, reading at once would mostly find open transactions. */
  hintedMs: 10,
  /** A change is committed but an older transaction is still open: the feed reads again after this, and then later and later. */
  settleMs: 10,
  settleMostMs: 100,
  /** The interval without any hint; databases without NOTIFY need nothing else. */
  pollMs: 300,
} as const

const batch = 1_000
/** Up to this many are delivered at once: gathering them would only delay them. */
const few = 10

type ChangeFeedOptions = { database: Database; logins: Pick<Logins, 'system'>; notify?: 'on' | 'off' }
type Batch = { changes: CommittedChange[]; position: Position; isUnsettled: boolean; listeners: readonly Listener[] }

/**
 * Follows the outbox in the order of transactions, never past an open one, so that it misses no late commit. `hint` and
 * NOTIFY only make it read sooner. Changes for which a listener has failed are delivered to it again.
 */
export class ChangeFeed {
  readonly #database: Database
  readonly #notifier: ChangeNotifier | undefined
  readonly #listeners: Listener[] = []
  #position: Position | undefined
  /** Changes that not every listener has taken yet; no others are delivered before. */
  #unfinished: Batch | undefined
  #timer: NodeJS.Timeout | undefined
  #timerAt = 0
  #notBefore = 0
  #isHinted = false
  #settleMs: number = timing.settleMs
  #looking: Promise<void> | undefined
  #isStopped = false

  constructor({ database, logins, notify = 'on' }: ChangeFeedOptions) {
    this.#database = database
    if (notify === 'on') this.#notifier = new ChangeNotifier({ databaseUrl: logins.system, onHint: () => this.#wake() })
  }

  listen(listener: Listener) {
    this.#listeners.push(listener)
  }

  /** The position up to which all listeners here have taken changes. */
  get position(): Position | undefined {
    return this.#position
  }

  async start() {
    const { position } = await this.#read({ xid: 0, id: 0 }, 0)
    this.#position = position
    this.#notifier?.start()
    this.#schedule(timing.pollMs)
  }

  /** After a commit here: reads now, and notifies the other servers. */
  hint() {
    this.#wake()
    this.#notifier?.notify()
  }

  async stop() {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#notifier?.stop()
    await this.#looking
  }

  /** Deletes changes that all listeners took long ago. */
  prune() {
    return pruneChanges(this.#database)
  }

  #wake() {
    this.#isHinted = true
    if (this.#looking !== undefined || this.#isStopped || this.#position === undefined) return
    if (performance.now() >= this.#notBefore) this.#begin()
    else this.#schedule(0)
  }

  #begin() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined
    })
  }

  /** Never later than planned before, never sooner than allowed. */
  #schedule(delayMs: number) {
    if (this.#isStopped) return
    const at = Math.max(performance.now() + delayMs, this.#notBefore)
    if (this.#timer !== undefined && this.#timerAt <= at) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#begin(), Math.max(0, at - performance.now()))
  }

  async #look() {
    this.#isHinted = false
    try {
      const found = this.#unfinished ?? (await this.#next())
      const failed = await deliver(found)
      this.#unfinished = failed.length > 0 ? { ...found, listeners: failed } : undefined
      if (this.#unfinished) return this.#schedule(timing.pollMs)
      this.#position = found.position
      this.#schedule(this.#pauseAfter(found))
    } catch {
      // The database is unreachable; the next read continues at the same position.
      this.#schedule(timing.pollMs)
    }
  }

  #pauseAfter({ changes, isUnsettled }: Batch) {
    if (changes.length < batch) this.#notBefore = performance.now() + this.#gatherMs(changes.length)
    if (changes.length > 0) this.#settleMs = timing.settleMs
    if (changes.length > few || this.#isHinted) return 0
    if (!isUnsettled) return timing.pollMs
    const pauseMs = this.#settleMs
    this.#settleMs = Math.min(pauseMs * 2, timing.settleMostMs)
    return pauseMs
  }

  #gatherMs(count: number) {
    if (count > few) return timing.gatherMs
    return timing.hintedMs
  }

  async #next(): Promise<Batch> {
    if (this.#position === undefined) throw new Error('the feed was not started')
    return { ...(await this.#read(this.#position, batch)), listeners: this.#listeners }
  }

  async #read(position: Position, most: number) {
    const [[[text] = []] = []] = await this.#database.askSystem([settledSince({ ...position, most })])
    const { settledBefore, isUnsettled, changes } = settled.parse(JSON.parse(text ?? ''))
    const last = changes.at(-1)
    const isWhole = last === undefined || changes.length < most
    return { changes, isUnsettled, position: isWhole ? { xid: settledBefore, id: 0 } : { xid: last.xid, id: last.id } }
  }
}

const settled = z.object({
  settledBefore: z.int(),
  isUnsettled: z.boolean(),
  changes: z.array(committedChange),
})

/**
 * One statement, which reads the settled position once: the changes and their end belong to the same moment. It is planned
 * each time: a plan from the start, when the outbox was almost empty, would read all of it.
 */
function settledSince({ xid, id, most }: Position & { most: number }) {
  return sql`with before as materialized (select settled_before() as xid)
    select json_build_object(
      'settledBefore', before.xid::text::bigint,
      'isUnsettled', coalesce((select max(change_xid) from change) >= before.xid, false),
      'changes', coalesce((select json_agg(settled order by settled.xid, settled.id) from (
        select ${changeColumns} from change
         where (change_xid, change_id) > (${xid}::text::xid8, ${id}::bigint) and change_xid < before.xid
         order by change_xid, change_id limit ${most}::int) settled), '[]'))
    from before`
}

/** Returns the listeners that failed to take it. */
async function deliver({ changes, listeners }: Batch) {
  if (changes.length === 0) return []
  const outcomes = await Promise.allSettled(listeners.map(async (listener) => listener(changes)))
  return listeners.filter((_, index) => outcomes[index]?.status === 'rejected')
}

/**
 * Marks how far the outbox is settled now, and deletes changes settled an hour ago: all servers have published them. A
 * transaction that was open for hours is kept as long as any other, because its time counts from its end.
 */
export function pruneChanges(database: Database) {
  return database.asSystem(async (tx) => {
    await tx.run(sql`insert into change_mark (change_mark_xid) select settled_before()
      where not exists (select from change_mark where change_mark_at > now() - interval '50 seconds')`)
    const old = sql`(select max(change_mark_xid) from change_mark
      where change_mark_at < now() - make_interval(mins => ${retentionMinutes}))`
    const forgotten = await tx.run(sql`delete from change where change_xid < ${old}`)
    await tx.run(sql`delete from change_mark where change_mark_xid < ${old}`)
    return forgotten
  })
}

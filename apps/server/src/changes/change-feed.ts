import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import type { Logins } from '../database/logins.ts'
import { endsWithin } from '../ends-within.ts'
import { ChangeNotifier } from './change-notifier.ts'
import { changeColumns, type CommittedChange, committedChange } from './committed-change.ts'
import { isAfter, type Position } from './position.ts'

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
  settleMaxMs: 100,
  /** A listener that takes longer continues alone. */
  patienceMs: 1_000,
  /** The interval without any hint; databases without NOTIFY need nothing else. */
  pollMs: 300,
} as const

const batch = 1_000
/** Up to this many are delivered at once: gathering them would only delay them. */
const few = 10

type ChangeFeedOptions = { database: Database; logins: Pick<Logins, 'system'>; notify?: 'on' | 'off' }
type Batch = { changes: CommittedChange[]; position: Position; isUnsettled: boolean }
type Failure = { consumer: string; error: unknown }

/** A listener and the position up to which it has taken changes. */
class Subscription {
  position: Position | undefined
  isFailing = false
  catchingUp: Promise<void> | undefined
  readonly consumer: string
  readonly listener: Listener

  constructor(consumer: string, listener: Listener) {
    this.consumer = consumer
    this.listener = listener
  }
}

/**
 * Follows the outbox in the order of transactions, never past an open one, so that it misses no late commit. `hint` and
 * NOTIFY only make it read sooner. A listener that has failed, or takes long, continues at its own position, alone; the others
 * go on.
 */
export class ChangeFeed {
  readonly #database: Database
  readonly #notifier: ChangeNotifier | undefined
  readonly #subscriptions: Subscription[] = []
  readonly #failureListeners: ((failure: Failure) => void)[] = []
  /** Ends the pauses between retries. */
  readonly #stopped = new AbortController()
  /** Listeners that do not fail have taken changes up to here. */
  #position: Position | undefined
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

  /** The result has the position up to which this listener has taken changes, once the feed has started. */
  listen(consumer: string, listener: Listener): { readonly position: Position | undefined } {
    const subscription = new Subscription(consumer, listener)
    subscription.position = this.#position
    this.#subscriptions.push(subscription)
    return subscription
  }

  /** A listener has failed; it is called again only after that listener has succeeded once. */
  onFailure(listener: (failure: Failure) => void) {
    this.#failureListeners.push(listener)
  }

  async start() {
    const { position } = await this.#read({ xid: 0, id: 0 }, 0)
    this.#position = position
    for (const subscription of this.#subscriptions) subscription.position = position
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
    this.#stopped.abort()
    await this.#notifier?.stop()
    await this.#looking
    await Promise.all(this.#subscriptions.flatMap(({ catchingUp }) => catchingUp ?? []))
  }

  /** Deletes changes that were settled long ago. */
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
      const found = await this.#next()
      const current = this.#subscriptions.filter((each) => !each.catchingUp && !this.#isBehind(each))
      await Promise.all(current.map((each) => this.#deliverSoon(each, found)))
      this.#position = found.position
      for (const each of this.#subscriptions) if (this.#isBehind(each)) this.#beginCatchingUp(each)
      this.#schedule(this.#pauseAfter(found))
    } catch {
      // The database is unreachable; the next read continues at the same position.
      this.#schedule(timing.pollMs)
    }
  }

  #isBehind({ position }: Subscription) {
    return this.#position !== undefined && (position === undefined || isAfter(this.#position, position))
  }

  async #deliverSoon(subscription: Subscription, found: Batch) {
    const delivery = this.#deliver(subscription, found)
    if (!(await endsWithin(delivery, timing.patienceMs))) this.#beginCatchingUp(subscription, delivery)
  }

  #beginCatchingUp(subscription: Subscription, delivery = Promise.resolve()) {
    if (subscription.catchingUp) return
    const catchingUp = delivery.then(() => this.#catchUp(subscription))
    subscription.catchingUp = catchingUp.finally(() => {
      subscription.catchingUp = undefined
    })
  }

  /** Reads the changes again instead of keeping them: a listener may fail for long. */
  async #catchUp(subscription: Subscription) {
    while (!this.#isStopped && this.#isBehind(subscription)) {
      if (subscription.isFailing) await this.#pause()
      if (this.#isStopped) return
      await this.#deliverMissing(subscription).catch(() => this.#pause())
    }
  }

  async #pause() {
    await delay(timing.pollMs, undefined, { signal: this.#stopped.signal }).catch(() => {})
  }

  async #deliverMissing(subscription: Subscription) {
    const end = this.#position
    if (end === undefined || subscription.position === undefined) return
    const { changes, position } = await this.#read(subscription.position, batch)
    await this.#deliver(subscription, {
      changes: changes.filter((change) => !isAfter(change, end)),
      position: isAfter(position, end) ? end : position,
    })
  }

  async #deliver(subscription: Subscription, { changes, position }: Pick<Batch, 'changes' | 'position'>) {
    try {
      if (changes.length > 0) await subscription.listener(changes)
      subscription.position = position
      subscription.isFailing = false
    } catch (error) {
      if (!subscription.isFailing) {
        for (const listener of this.#failureListeners) listener({ consumer: subscription.consumer, error })
      }
      subscription.isFailing = true
    }
  }

  #pauseAfter({ changes, isUnsettled }: Batch) {
    if (changes.length < batch) this.#notBefore = performance.now() + this.#gatherMs(changes.length)
    if (changes.length > 0) this.#settleMs = timing.settleMs
    if (changes.length > few || this.#isHinted) return 0
    if (!isUnsettled) return timing.pollMs
    const pauseMs = this.#settleMs
    this.#settleMs = Math.min(pauseMs * 2, timing.settleMaxMs)
    return pauseMs
  }

  #gatherMs(count: number) {
    if (count > few) return timing.gatherMs
    return timing.hintedMs
  }

  async #next(): Promise<Batch> {
    if (this.#position === undefined) throw new Error('the feed was not started')
    return this.#read(this.#position, batch)
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

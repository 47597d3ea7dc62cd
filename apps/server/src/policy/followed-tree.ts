import { credentials } from '@portcullis/contract/collections/credentials'
import { users } from '@portcullis/contract/collections/users'
import type { AffectedUnits } from '@portcullis/domain/configuration/affected-units'
import { type ChangedCredentials, changedCredentials } from '@portcullis/domain/decision/usable-credential'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Position } from '../changes/position.ts'
import type { Database } from '../database/database.ts'
import { endsWithin, whileNotOver } from '../ends-within.ts'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { loadPolicy, type Read } from './load-policy.ts'
import type { CurrentPolicy } from './policies.ts'
import type { UnreadableItem } from './stored-policy.ts'
import type { TreePolicy } from './tree-policy.ts'
import { type ChangedItem, updatePolicy } from './update-policy.ts'

/** Changes up to this position have been delivered to the tree. */
export type Delivered = { readonly position: Position | undefined }

type Update = { units: AffectedUnits; credentials: ChangedCredentials }

type FollowedTreeOptions = {
  root: number
  database: Database
  delivered: Delivered
  numbers: CredentialNumbers
  onUpdate: (change: Update) => void
  onUnreadable: (item: UnreadableItem) => void
}

export type IdleWork<T> = {
  work: (policy: CurrentPolicy, isOtherWaiting: () => boolean) => Promise<T>
  /** Called often while the work waits; what it throws ends the wait. */
  throwIfOver: () => void
}

type Change = ChangedItem & { action: 'save' | 'remove' | 'reread' }

const retryMs = 1_000
const idleCheckMs = 100

/**
 * The policy of one account tree, which follows the outbox. Changes of it, and work in several steps that needs it
 * unchanged, take turns.
 */
export class FollowedTree {
  readonly root: number
  readonly #read: Read
  readonly #delivered: Delivered
  readonly #numbers: CredentialNumbers
  readonly #onUpdate: FollowedTreeOptions['onUpdate']
  readonly #onUnreadable: FollowedTreeOptions['onUnreadable']
  /** Items that cannot be read and were reported, by list and id. */
  #reported: ReadonlySet<string> = new Set()
  #tree: TreePolicy | undefined
  /** Replaced before each update. */
  #state: object = {}
  /** When the read of the last update began, by `performance.now()`. */
  #readAt = 0
  #loading: Promise<void> | undefined
  /** Changes that the feed delivered and the policy does not have yet. */
  #pending: Change[] = []
  /** Rows of the outbox that were taken before the feed delivers them, each with its transaction. */
  readonly #taken = new Map<number, number>()
  #turn: Promise<unknown> = Promise.resolve()
  #retry: NodeJS.Timeout | undefined
  #isStopped = false
  /** An update has failed, after it may have applied some of its changes: which units these affect is no longer known. */
  #isPartial = false
  /** Whether the index has only changes that updates announced: a whole read may already have the next ones. */
  #isBeforeKnown = false
  /** An update that has not begun; all callers share it. */
  #nextUpdate: Promise<void> | undefined

  constructor({ root, database, delivered, numbers, onUpdate, onUnreadable }: FollowedTreeOptions) {
    this.root = root
    this.#read = (work) => database.asSystem(work)
    this.#delivered = delivered
    this.#numbers = numbers
    this.#onUpdate = onUpdate
    this.#onUnreadable = onUnreadable
  }

  async current(): Promise<CurrentPolicy> {
    await this.load()
    return this.#now()
  }

  isAt(version: number) {
    return this.#tree !== undefined && this.#tree.index.version >= version
  }

  get isBlocked() {
    return this.#tree !== undefined && this.#tree.blocking.size > 0
  }

  /** Changes that the feed delivered. */
  follow(changes: readonly Change[]) {
    const fresh = changes.filter(({ id }) => !this.#taken.delete(id))
    if (fresh.length === 0) return
    this.#pending.push(...fresh)
    if (this.#tree) void this.#keepUp()
    else this.#onUpdate({ units: 'all', credentials: none })
  }

  stop() {
    clearTimeout(this.#retry)
    this.#isStopped = true
  }

  /** Applies all committed changes, including those that the feed may not deliver yet. */
  catchUp(): Promise<void> {
    this.#nextUpdate ??= this.#enqueue(() => {
      this.#nextUpdate = undefined
      return this.#update()
    })
    return this.#nextUpdate
  }

  async whileUnchanged<T>(work: (policy: CurrentPolicy) => Promise<T>): Promise<T> {
    await this.current()
    return this.#enqueue(() => work(this.#now()))
  }

  /**
   * The same for work that can wait: its turn begins when no other turn is taken, and it should end it as soon as another
   * one waits.
   */
  async whileIdle<T>({ work, throwIfOver }: IdleWork<T>): Promise<T> {
    await whileNotOver(this.current(), throwIfOver)
    for (let last: Promise<unknown> | undefined; last !== this.#turn; ) {
      throwIfOver()
      const turn = this.#turn
      if (await endsWithin(turn, idleCheckMs)) last = turn
    }
    const done = this.#enqueue(() => work(this.#now(), () => this.#turn !== own))
    const own = this.#turn
    return done
  }

  #now(): CurrentPolicy {
    const tree = this.#tree
    if (!tree) throw new Error('the policy is not loaded')
    const { index, unreadable, blocking } = tree
    return {
      root: this.root,
      version: index.version,
      state: this.#state,
      hasAllUntil: (moment) => this.#tree === tree && this.#readAt >= moment,
      index,
      unreadable: [...unreadable.values()].flat(),
      blocking: [...blocking.values()],
    }
  }

  /** Loads the policy at first use; parallel callers share one load. */
  async load(): Promise<void> {
    if (this.#tree) return
    this.#loading ??= (async () => {
      const loaded = await loadPolicy(this.#read, this.root, this.#numbers)
      const pending = this.#pending
      this.#pending = []
      await this.#takeOver(loaded, pending)
    })().finally(() => {
      this.#loading = undefined
    })
    await this.#loading
  }

  /** A failure is repaired by the next update, which reads the same changes again. One retry waits for all failures. */
  async #keepUp() {
    await this.catchUp().catch(() => {
      if (this.#isStopped) return
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined
        void this.#keepUp()
      }, retryMs)
    })
  }

  async #update() {
    if (!this.#tree) return this.load()
    const pending = this.#pending
    this.#pending = []
    try {
      await this.#takeOver(this.#tree, pending)
    } catch (error) {
      this.#isPartial = true
      this.#pending = [...pending, ...this.#pending]
      throw error
    }
  }

  async #takeOver(tree: TreePolicy, pending: readonly Change[]) {
    this.#state = {}
    const readAt = performance.now()
    const { version, unsettled } = await this.#unsettled()
    const delivered = new Set(pending.map(({ id }) => id))
    const early = unsettled.filter(({ id }) => !delivered.has(id) && !this.#taken.has(id))
    const changes = [...pending, ...early]
    const people = { ...peopleIn(changes), now: Date.now() }
    const usableBefore = new Set(changedCredentials(tree.index, people).usable)
    // A change that does not name its items.
    const isWhole = changes.some(({ action }) => action === 'reread')
    const next = isWhole ? await loadPolicy(this.#read, this.root, this.#numbers) : tree
    const units = isWhole ? 'all' : await updatePolicy(this.#read, tree, changes)
    for (const { id, xid } of early) this.#taken.set(id, xid)
    this.#forgetDelivered()
    next.index.version = Math.max(version, next.index.version)
    this.#tree = next
    this.#readAt = readAt
    this.#reportUnreadable(next)
    const { ended, usable } = changedCredentials(next.index, people)
    // A failed update may have ended some of them already, and a whole read is ahead of the changes that follow.
    const isKnown = this.#isBeforeKnown && !this.#isPartial
    const endedNow = isKnown ? ended.filter((id) => usableBefore.has(id)) : ended
    this.#isBeforeKnown = !isWhole
    this.#onUpdate({ units: this.#isPartial ? 'all' : units, credentials: { ended: endedNow, usable } })
    this.#isPartial = false
  }

  /** Each item once, until it can be read again. */
  #reportUnreadable({ unreadable }: TreePolicy) {
    const fresh = [...unreadable].filter(([key]) => !this.#reported.has(key))
    this.#reported = new Set(unreadable.keys())
    for (const [, items] of fresh) for (const item of items) this.#onUnreadable(item)
  }

  /** The feed does not deliver again what lies before its position. */
  #forgetDelivered() {
    const passed = this.#delivered.position?.xid ?? 0
    for (const [id, xid] of this.#taken) if (xid < passed) this.#taken.delete(id)
  }

  /**
   * One statement reads the version and the changes behind it: those after the feed's position, which it delivers only once
   * no older transaction is open.
   */
  async #unsettled() {
    const { xid, id } = this.#delivered.position ?? { xid: 0, id: 0 }
    const found = await this.#read((tx) =>
      tx.first(
        unsettledRow,
        sql`select policy_version as version, coalesce((
              select json_agg(json_build_object('xid', change_xid::text::bigint, 'id', change_id, 'action', change_action,
                                                'collection', change_collection, 'item', change_item))
                from change left join account on account_key = change_account
               where (change_xid, change_id) > (${xid}::text::xid8, ${id}::bigint) and change_is_policy
                 and coalesce(account_root, ${this.root}) = ${this.root}), '[]') as unsettled
              from policy where policy_root = ${this.root}`,
      ),
    )
    return found ?? { version: 0, unsettled: [] }
  }

  /** Waits for all turns before it; a failure of one does not affect the others. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => {})
    return turn
  }
}

const none: ChangedCredentials = { ended: [], usable: [] }

function peopleIn(changes: readonly Change[]) {
  const itemsOf = (name: string) =>
    new Set(changes.flatMap(({ collection, item }) => (collection === name ? [item] : [])))
  return { users: itemsOf(users.name), credentials: itemsOf(credentials.name) }
}

const unsettledRow = z.object({
  version: z.number(),
  unsettled: z.array(
    z.object({
      xid: z.int(),
      id: z.int(),
      action: z.enum(['save', 'remove', 'reread']),
      collection: z.string(),
      item: z.uuid(),
    }),
  ),
})

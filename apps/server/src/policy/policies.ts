import { setTimeout as delay } from 'node:timers/promises'
import type { AffectedUnits } from '@portcullis/domain/configuration/affected-units'
import type { ChangedCredentials } from '@portcullis/domain/decision/usable-credential'
import type { PolicyIndex } from '@portcullis/domain/decision/policy-index'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { ChangeFeed } from '../changes/change-feed.ts'
import type { CommittedChange } from '../changes/committed-change.ts'
import type { Database } from '../database/database.ts'
import type { CredentialNumbers } from '../numbers/credential-numbers.ts'
import { type Delivered, FollowedTree, type IdleWork } from './followed-tree.ts'
import type { UnreadableItem } from './stored-policy.ts'

export type CurrentPolicy = {
  root: number
  version: number
  /** Kept up to date: read it without an interruption where the result must belong to one version. */
  index: PolicyIndex
  /** Another object before each change of the index. */
  state: object
  /** Whether the index now has every change that was committed until a moment of `performance.now()`. */
  hasAllUntil: (moment: number) => boolean
  /** Stored items that it leaves out. */
  unreadable: readonly UnreadableItem[]
  /** Of these, the deny rules that cannot be read at all: nothing may be compiled without them. */
  blocking: readonly UnreadableItem[]
}

/** A policy has changed. If it is in memory, these are the units whose configurations may differ, and the credentials. */
export type PolicyChange = { root: number; units: AffectedUnits; credentials: ChangedCredentials }
type Listener = (change: PolicyChange) => void
type UnreadableListener = (item: UnreadableItem & { root: number }) => void

type PoliciesOptions = { database: Database; feed: ChangeFeed; numbers: CredentialNumbers }

/** How long a request waits for a policy whose update is delayed by other work. */
const patienceMs = 2_000

/**
 * The policies of account trees in memory: each is loaded at first use, and then follows the outbox item by item.
 */
export class Policies {
  readonly #database: Database
  readonly #delivered: Delivered
  readonly #numbers: CredentialNumbers
  readonly #trees = new Map<number, FollowedTree>()
  /** The topmost account of each account seen; it never changes. */
  readonly #roots = new Map<number, number>()
  readonly #listeners: Listener[] = []
  readonly #unreadableListeners: UnreadableListener[] = []

  constructor({ database, feed, numbers }: PoliciesOptions) {
    this.#numbers = numbers
    this.#database = database
    this.#delivered = feed.listen('policies', (changes) => this.#received(changes))
  }

  stop() {
    for (const tree of this.#trees.values()) tree.stop()
  }

  onChange(listener: Listener) {
    this.#listeners.push(listener)
  }

  /** A stored item cannot be read: after a policy was loaded, and when a change makes it so. */
  onUnreadable(listener: UnreadableListener) {
    this.#unreadableListeners.push(listener)
  }

  /** The policy for the account with this key, as far as this server has followed it. */
  async ofAccount(account: number): Promise<CurrentPolicy> {
    return this.#followed(await this.#rootOf(account)).current()
  }

  /** The same, with all changes committed until now. */
  async latestOfAccount(account: number): Promise<CurrentPolicy> {
    const tree = this.#followed(await this.#rootOf(account))
    const row = await this.#database.asSystem((tx) =>
      tx.first(
        z.object({ version: z.number() }),
        sql`select policy_version as version from policy where policy_root = ${tree.root}`,
      ),
    )
    return this.ofAccountAt(account, row?.version ?? 0)
  }

  /** The same with at least the version that the caller read, unless bringing it up to date takes too long. */
  async ofAccountAt(account: number, version: number): Promise<CurrentPolicy> {
    const tree = this.#followed(await this.#rootOf(account))
    await tree.load()
    return tree.isAt(version) ? tree.current() : this.#caughtUp(tree)
  }

  /** The same for compiling a tree, which deny rules that cannot be read stop: they are read again. */
  async toCompile(root: number, version: number): Promise<CurrentPolicy> {
    const tree = this.#followed(root)
    await tree.load()
    return tree.isAt(version) && !tree.isBlocked ? tree.current() : this.#caughtUp(tree)
  }

  async #caughtUp(tree: FollowedTree) {
    const ended = new AbortController()
    await Promise.race([tree.catchUp(), delay(patienceMs, undefined, { signal: ended.signal }).catch(() => {})])
    ended.abort()
    return tree.current()
  }

  /** Work on the policy in several steps, during which it does not change. */
  async whileUnchanged<T>(root: number, work: (policy: CurrentPolicy) => Promise<T>): Promise<T> {
    return this.#followed(root).whileUnchanged(work)
  }

  /** The same while no other work waits. */
  async whileIdle<T>(root: number, work: IdleWork<T>): Promise<T> {
    return this.#followed(root).whileIdle(work)
  }

  #followed(root: number) {
    const existing = this.#trees.get(root)
    if (existing) return existing
    const tree = new FollowedTree({
      root,
      database: this.#database,
      delivered: this.#delivered,
      numbers: this.#numbers,
      onUpdate: (change) => this.#announce({ root, ...change }),
      onUnreadable: (item) => {
        for (const listener of this.#unreadableListeners) listener({ ...item, root })
      },
    })
    this.#trees.set(root, tree)
    return tree
  }

  #announce(change: PolicyChange) {
    for (const listener of this.#listeners) listener(change)
  }

  async #received(changes: readonly CommittedChange[]) {
    const ofPolicy = changes.filter(({ isPolicy }) => isPolicy)
    if (ofPolicy.length === 0) return
    await this.#learnRoots(ofPolicy.map(({ account }) => account))
    // An account that is unknown here was deleted before any policy had it.
    for (const [root, own] of Map.groupBy(ofPolicy, ({ account }) => this.#roots.get(account))) {
      if (root === undefined) continue
      const tree = this.#trees.get(root)
      if (tree) tree.follow(own)
      else this.#announce({ root, units: 'all', credentials: { ended: [], usable: [] } })
    }
  }

  async #rootOf(account: number) {
    await this.#learnRoots([account])
    const root = this.#roots.get(account)
    if (root === undefined) throw new Error(`the account ${account} has no policy`)
    return root
  }

  async #learnRoots(accounts: readonly number[]) {
    const unknown = [...new Set(accounts)].filter((account) => !this.#roots.has(account))
    if (unknown.length === 0) return
    const rows = await this.#database.asSystem((tx) =>
      tx.rows(
        z.object({ account: z.int(), root: z.int() }),
        sql`select account_key as account, account_root as root from account where account_key = any(${unknown}::int[])`,
      ),
    )
    for (const { account, root } of rows) this.#roots.set(account, root)
  }
}

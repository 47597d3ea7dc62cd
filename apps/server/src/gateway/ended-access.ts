import { credentials } from '@portcullis/contract/collections/credentials'
import { users } from '@portcullis/contract/collections/users'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import type { PolicyIndex } from '@portcullis/domain/decision/policy-index'
import { changedCredentials } from '@portcullis/domain/decision/usable-credential'
import { stepSize } from '@portcullis/domain/steps'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { CurrentPolicy, PolicyChange } from '../policy/policies.ts'
import { runInSlices } from '../time-slices.ts'

/** The event loop waits while the driver reads this many changes. */
const changesAtOnce = 5_000

const changedRow = z.object({
  collection: z.enum([users.name, credentials.name]),
  item: z.uuid(),
  /** With the id, its place in the outbox. */
  xid: z.string(),
  id: z.string(),
})

type Tree = { ended: Set<string>; loaded: Promise<void> }

/**
 * The credentials whose access ended lately, by account tree, which a unit may have missed. They are read from the outbox
 * once, when a unit first asks, and then follow the changes.
 */
export class EndedAccess {
  readonly #database: Database
  readonly #now: () => number
  readonly #trees = new Map<number, Tree>()

  constructor({ database, now }: { database: Database; now: () => number }) {
    this.#database = database
    this.#now = now
  }

  /** The latest at the end, and no more than a unit can block. */
  async of(policy: CurrentPolicy): Promise<readonly string[]> {
    const { root } = policy
    const known = this.#trees.get(root) ?? this.#read(policy)
    await known.loaded
    return [...known.ended]
  }

  follow({ root, credentials: { ended, usable } }: Pick<PolicyChange, 'root' | 'credentials'>) {
    const tree = this.#trees.get(root)
    if (tree) add(tree, { ended, usable })
  }

  #read(policy: CurrentPolicy): Tree {
    const tree: Tree = { ended: new Set(), loaded: Promise.resolve() }
    this.#trees.set(policy.root, tree)
    tree.loaded = this.#load(tree, policy)
    return tree
  }

  async #load(tree: Tree, { root, index }: CurrentPolicy) {
    try {
      const ended = new Set<string>()
      let before: Change | undefined
      do {
        const query = changesBefore(before, root)
        const changes = await this.#database.asSystem((tx) => tx.rows(changedRow, query))
        await runInSlices(addEnded(ended, { changes, index, now: this.#now() }))
        before = changes.length < changesAtOnce ? undefined : changes.at(-1)
      } while (before && ended.size < limits.blockedCredentials)
      const since = [...tree.ended]
      tree.ended = new Set([...ended].toReversed())
      add(tree, { ended: since, usable: [] })
    } catch (error) {
      this.#trees.delete(root)
      throw error
    }
  }
}

type Change = z.output<typeof changedRow>

type AddEnded = { changes: readonly Change[]; index: PolicyIndex; now: number }

/** The latest first, like the changes. */
function* addEnded(ended: Set<string>, { changes, index, now }: AddEnded) {
  for (const [place, { collection, item }] of changes.entries()) {
    if (ended.size >= limits.blockedCredentials) return
    const people = { users: [], credentials: [], [collection]: [item], now }
    for (const id of changedCredentials(index, people).ended) ended.add(id)
    if (place % stepSize === 0) yield
  }
}

function add({ ended: all }: Tree, { ended, usable }: PolicyChange['credentials']) {
  for (const id of [...usable, ...ended]) all.delete(id)
  for (const id of ended) all.add(id)
  for (const id of all) if (all.size > limits.blockedCredentials) all.delete(id)
}

/** Of users and credentials, the latest first. The index has the outbox by account and collection: no other rows are read. */
function changesBefore(before: Change | undefined, root: number) {
  const isBefore = before ? sql`(change_xid, change_id) < (${before.xid}::text::xid8, ${before.id}::bigint)` : sql`true`
  return sql`select change_collection as collection, change_item as item, change_xid::text as xid, change_id::text as id
    from account cross join unnest(${changedRow.shape.collection.options}::text[]) as kind
    cross join lateral (
      select change_xid, change_id, change_collection, change_item from change
       where change_account = account_key and change_collection = kind and change_is_policy and ${isBefore}
       order by change_xid desc, change_id desc limit ${changesAtOnce}) as latest
   where account_root = ${root} order by change_xid desc, change_id desc limit ${changesAtOnce}`
}

const placeRow = z.object({ account: z.int(), isBehind: z.boolean() })

/** The account of a unit, and whether it may apply a configuration that lacks a change. */
export function placeAndLag(database: Database, { unit, version }: { unit: string; version: number | null }) {
  return database.first(
    placeRow,
    prepared(sql`select unit_state_account as account,
        policy_version > policy_compiled_version or unit_state_fault is not null
          or unit_state_desired_version is distinct from ${version}::int as "isBehind"
      from unit_state join account on account_key = unit_state_account join policy on policy_root = account_root
     where unit_state_id = ${unit}`),
  )
}

import { credentials } from '@portcullis/contract/collections/credentials'
import { users } from '@portcullis/contract/collections/users'
import { limits } from '@portcullis/contract/unit-protocol/frames'
import { changedCredentials } from '@portcullis/domain/decision/usable-credential'
import { stepSize } from '@portcullis/domain/steps'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { CurrentPolicy, PolicyChange } from '../policy/policies.ts'
import { runInSlices } from '../time-slices.ts'

/** Of an account tree, the newest changes that are read: those before them reach the units with their configurations. */
const mostChanges = 20_000

const changedRow = z.object({ collection: z.string(), item: z.uuid() })

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
      const changes = await this.#database.asSystem((tx) => tx.rows(changedRow, latestChanges(root)))
      const ended = await runInSlices(endedBy(changes, { index, now: this.#now() }))
      const since = [...tree.ended]
      tree.ended = new Set(ended.toReversed())
      add(tree, { ended: since, usable: [] })
    } catch (error) {
      this.#trees.delete(root)
      throw error
    }
  }
}

type Change = z.output<typeof changedRow>

/** The latest first, like the changes. */
function* endedBy(changes: readonly Change[], { index, now }: Pick<CurrentPolicy, 'index'> & { now: number }) {
  const ended = new Set<string>()
  const judged = new Set<string>()
  for (const { collection, item } of changes) {
    if (ended.size >= limits.blockedCredentials) break
    if (judged.has(item)) continue
    judged.add(item)
    const people = { users: [], credentials: [], [collection]: [item], now }
    for (const id of changedCredentials(index, people).ended) ended.add(id)
    if (judged.size % stepSize === 0) yield
  }
  return [...ended]
}

function add({ ended: all }: Tree, { ended, usable }: PolicyChange['credentials']) {
  for (const id of [...usable, ...ended]) all.delete(id)
  for (const id of ended) all.add(id)
  for (const id of all) if (all.size > limits.blockedCredentials) all.delete(id)
}

/** Of users and credentials, the latest first. The index has the outbox by account: other trees are not read. */
function latestChanges(root: number) {
  const kinds = sql`change_collection in (${users.name}, ${credentials.name})`
  return sql`select change_collection as collection, change_item as item
    from account cross join lateral (
      select change_xid, change_id, change_collection, change_item from change
       where change_account = account_key and ${kinds} and change_is_policy
       order by change_xid desc, change_id desc limit ${mostChanges}) as latest
   where account_root = ${root} order by change_xid desc, change_id desc limit ${mostChanges}`
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

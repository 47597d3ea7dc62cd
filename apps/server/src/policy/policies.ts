import { type PolicyIndex, policyIndex } from '@portcullis/domain/decision/gather-facts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Collection } from '@portcullis/contract/collection'
import type { Database, Transaction } from '../database/database.ts'
import { tableOf } from '../query/columns.ts'
import { readItems } from '../query/read-items.ts'
import { readStored, storedPolicy, type UnreadableItem } from './stored-policy.ts'

export type CurrentPolicy = {
  root: number
  version: number
  index: PolicyIndex
  /** Stored items that it leaves out. */
  unreadable: readonly UnreadableItem[]
}

/** The policies of account trees, each cached while its version is the current one. */
export class Policies {
  readonly #database: Database
  readonly #known = new Map<number, CurrentPolicy>()
  readonly #loading = new Map<number, { version: number; loaded: Promise<CurrentPolicy> }>()

  constructor(database: Database) {
    this.#database = database
  }

  /** The current policy for the account with this key. */
  ofAccount(account: number) {
    return this.#database.asSystem((tx) => this.inTransaction(tx, account))
  }

  /** The same inside a transaction of the system role, so that version and content match. */
  async inTransaction(tx: Transaction, account: number): Promise<CurrentPolicy> {
    const row = await currentVersion(tx, account)
    const known = this.#known.get(row.root)
    if (known?.version === row.version) return known
    // Units that reconnect together after a restart share one load; if it fails, each loads for itself.
    const loading = this.#loading.get(row.root)
    const shared = loading?.version === row.version ? await loading.loaded.catch(() => undefined) : undefined
    if (shared) return shared
    const loaded = this.#load(tx, { account, row })
    this.#loading.set(row.root, { version: row.version, loaded })
    try {
      return await loaded
    } finally {
      if (this.#loading.get(row.root)?.loaded === loaded) this.#loading.delete(row.root)
    }
  }

  async #load(tx: Transaction, { account, row }: { account: number; row: z.output<typeof versionRow> }) {
    const { policy, unreadable } = await loadPolicy(tx, row)
    const current = { ...row, index: policyIndex(policy), unreadable }
    // A change during the load may be partly included: then it is loaded again.
    if ((await currentVersion(tx, account)).version !== row.version) return this.inTransaction(tx, account)
    this.#known.set(row.root, current)
    return current
  }
}

const versionRow = z.object({ root: z.int(), version: z.number() })

async function currentVersion(tx: Transaction, account: number) {
  const row = await tx.first(
    versionRow,
    sql`select policy_root as root, policy_version as version
          from account join policy on policy_root = account_root where account_key = ${account}`,
  )
  if (!row) throw new Error(`the account ${account} has no policy`)
  return row
}

/** Reads everything that decisions of an account tree depend on. `root` is the key of its topmost account. */
async function loadPolicy(tx: Transaction, { root, version }: { root: number; version: number }) {
  const accountKeys = await tx.rows(
    z.object({ key: z.int() }),
    sql`select account_key as key from account where account_root = ${root}`,
  )
  const keys = accountKeys.map(({ key }) => key)
  const unreadable: UnreadableItem[] = []
  const read = <Item>({ collection, schema }: Pick<ReadAllInput<Item>, 'collection' | 'schema'>) =>
    readAll(tx, { collection, schema, keys, onUnreadable: (item) => unreadable.push(item) })
  const policy = {
    version,
    accounts: await read(storedPolicy.accounts),
    sites: await read(storedPolicy.sites),
    doors: await read(storedPolicy.doors),
    units: await read(storedPolicy.units),
    users: await read(storedPolicy.users),
    credentials: await read(storedPolicy.credentials),
    userGroups: await read(storedPolicy.userGroups),
    doorGroups: await read(storedPolicy.doorGroups),
    siteGroups: await read(storedPolicy.siteGroups),
    rules: await read(storedPolicy.rules),
    schedules: await read(storedPolicy.schedules),
    holidays: await read(storedPolicy.holidays),
  }
  return { policy, unreadable }
}

type ReadAllInput<Item> = {
  collection: Collection
  schema: z.ZodType<Item> & { shape: object }
  keys: number[]
  onUnreadable: (item: UnreadableItem) => void
}

async function readAll<Item>(tx: Transaction, { collection, schema, keys, onUnreadable }: ReadAllInput<Item>) {
  const rows = await readItems(tx, {
    collection,
    fields: Object.keys(schema.shape),
    where: sql`${tableOf(collection).account} = any(${keys}::int[])`,
  })
  return rows.flatMap(({ item }) => readStored({ collection, schema, text: item, onUnreadable }) ?? [])
}

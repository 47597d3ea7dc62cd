import { type PolicyIndex, policyIndex } from '@portcullis/domain/decision/gather-facts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { loadPolicy } from './load-policy.ts'

export type CurrentPolicy = { root: number; version: number; index: PolicyIndex }

/** The policies of account trees, each kept in memory as long as its version is the current one. */
export class Policies {
  readonly #database: Database
  readonly #known = new Map<number, CurrentPolicy>()
  readonly #loading = new Map<number, { version: number; loaded: Promise<CurrentPolicy> }>()

  constructor(database: Database) {
    this.#database = database
  }

  /** The policy in force for the account with this key. */
  ofAccount(account: number) {
    return this.#database.asSystem((tx) => this.inTransaction(tx, account))
  }

  /** The same within a transaction of the system role: version and content then belong together. */
  async inTransaction(tx: Transaction, account: number): Promise<CurrentPolicy> {
    const row = await currentVersion(tx, account)
    const known = this.#known.get(row.root)
    if (known?.version === row.version) return known
    // Units that come back together after a restart share one reading; where it fails, each reads for itself.
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
    const current = { ...row, index: policyIndex(await loadPolicy(tx, row)) }
    // What was changed while it was read may be half in it: then it is read again.
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

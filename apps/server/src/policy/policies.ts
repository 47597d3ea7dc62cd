import { type PolicyIndex, policyIndex } from '@portcullis/domain/gather-facts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'
import { loadPolicy } from './load-policy.ts'

export type CurrentPolicy = { root: number; version: number; index: PolicyIndex }

/** The policies of account trees, each kept in memory as long as its version is the current one. */
export class Policies {
  readonly #database: Database
  readonly #known = new Map<number, CurrentPolicy>()

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
    const current = { ...row, index: policyIndex(await loadPolicy(tx, row)) }
    // What was changed while it was read may be half in it: then it is read again.
    if ((await currentVersion(tx, account)).version !== row.version) return this.inTransaction(tx, account)
    this.#known.set(row.root, current)
    return current
  }
}

async function currentVersion(tx: Transaction, account: number) {
  const row = await tx.first(
    z.object({ root: z.int(), version: z.number() }),
    sql`select policy_root as root, policy_version as version
          from account join policy on policy_root = account_root where account_key = ${account}`,
  )
  if (!row) throw new Error(`the account ${account} has no policy`)
  return row
}

import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { kept } from '../database/kept-statements.ts'

/** Tells these locks from all others that the installation takes. */
export const treeLocks = 7_361_907

/**
 * Comes first in whatever changes the policy of an account tree. A change that stands by itself is made beside others of its
 * kind, and they take turns at their end only, for the next version. One that hangs on what others may be changing, such as
 * a deletion or a link, is made alone; so is a transaction of several changes, which can't go from the one to the other.
 */
export function lockTree(tx: Transaction, { root, turn }: { root: number; turn: 'beside' | 'alone' }) {
  const lock = turn === 'alone' ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`
  tx.send(kept(sql`select ${lock}(${treeLocks}, ${root})`))
}

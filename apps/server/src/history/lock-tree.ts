import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'

/** Advisory-lock namespace. */
export const treeLocks = 7_361_907

/**
 * Comes first in every change of an account tree's policy. Independent changes run `beside` each other and are
 * serialised only at their end, for the next version. A change that depends on what others may be changing, such as a
 * deletion or a link, runs `alone`; so does a transaction of several changes, because a shared lock cannot be upgraded.
 */
export function lockTree(tx: Transaction, { root, turn }: { root: number; turn: 'beside' | 'alone' }) {
  const lock = turn === 'alone' ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`
  tx.send(prepared(sql`select ${lock}(${treeLocks}, ${root})`))
}

import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'

export type Change = {
  account: number
  collection: string
  item: string
  /** `reread`: the change affects too many items of the collection to send one by one. */
  action: 'save' | 'remove' | 'reread'
  /** Whether controllers may be affected. */
  isPolicy: boolean
}

const recorded = new WeakMap<Transaction, Change[]>()

/** The changes that a transaction has recorded so far. */
export function changesIn(tx: Transaction): readonly Change[] {
  return recorded.get(tx) ?? []
}

/** Writes changes into the outbox, in the transaction that makes them: clients receive them after the commit. */
export async function recordChanges(tx: Transaction, changes: readonly Change[]) {
  if (changes.length === 0) return
  const own = recorded.get(tx) ?? []
  recorded.set(tx, own)
  own.push(...changes)
  tx.send(
    prepared(sql`select record_changes(${changes.map(({ account }) => account)}::int[],
        ${changes.map((c) => c.collection)}::text[], ${changes.map(({ item }) => item)}::uuid[],
        ${changes.map(({ action }) => action)}::text[], ${changes.map(({ isPolicy }) => isPolicy)}::boolean[])`),
  )
}

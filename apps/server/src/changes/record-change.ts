import sql, { bulk } from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'

export type Change = {
  account: number
  collection: string
  item: string
  /** `reread`: so many items of the collection look different, because of this one, that they are not told one by one. */
  action: 'save' | 'remove' | 'reread'
  /** Whether controllers may have to be told. */
  isPolicy: boolean
}

/** Writes changes into the outbox, in the transaction that makes them: whoever follows hears of them after commit. */
export async function recordChanges(tx: Transaction, changes: readonly Change[]) {
  if (changes.length === 0) return
  const rows = changes.map(({ account, collection, item, action, isPolicy }) => [
    account,
    collection,
    item,
    action,
    isPolicy,
  ])
  await tx.run(
    sql`insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
        values ${bulk(rows)}`,
  )
}

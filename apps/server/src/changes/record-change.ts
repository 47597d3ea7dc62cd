import sql from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { kept } from '../database/kept-statements.ts'

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
  tx.send(
    kept(sql`insert into change (change_account, change_collection, change_item, change_action, change_is_policy)
      select * from unnest(${changes.map(({ account }) => account)}::int[], ${changes.map((c) => c.collection)}::text[],
        ${changes.map(({ item }) => item)}::uuid[], ${changes.map(({ action }) => action)}::text[],
        ${changes.map(({ isPolicy }) => isPolicy)}::boolean[])`),
  )
}

import type { Collection } from '@portcullis/contract/collection'
import { v7 as uuidv7 } from 'uuid'
import type { Access } from '../abilities/access.ts'
import { type Change, recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { changeOfHistory, type Item, recordHistory } from '../history/record-history.ts'

type Changed = {
  access: Access
  collection: Collection
  /** Key of the account that the item belongs to. */
  account: number
  /** Key of the account whose history tells of it, where that is another. */
  keeper?: number
  item: string
  action: 'create' | 'patch' | 'delete'
  before: Item | null
  after: Item | null
  /** The entry of history that this change takes back. */
  undoes: string | undefined
  /** What else looks different now. */
  others: readonly Change[]
}

/** The end of every change: the outbox, then history, whose entry is the answer. */
export async function recordChangeOfItem(tx: Transaction, { collection, others, ...changed }: Changed) {
  const { account, keeper = account, item, action } = changed
  const { name, isPolicy } = collection
  const entry = uuidv7()
  const own = { account, collection: name, item, isPolicy, action: action === 'delete' ? 'remove' : 'save' } as const
  await recordChanges(tx, [own, changeOfHistory({ id: entry, account: keeper }), ...others])
  const policyVersion = isPolicy ? 'next' : null
  await recordHistory(tx, { ...changed, id: entry, account: keeper, collection: name, policyVersion })
  return entry
}

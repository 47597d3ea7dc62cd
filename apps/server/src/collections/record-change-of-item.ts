import type { Collection } from '@portcullis/contract/collection'
import { v7 as uuidv7 } from 'uuid'
import type { Access } from '../abilities/access.ts'
import { type Change, recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { changeOfHistory, type Item, recordHistory } from '../history/record-history.ts'

type RecordChangeInput = {
  access: Access
  collection: Collection
  /** Key of the account that the item belongs to. */
  account: number
  /** Key of the account whose history records the change, if that is another. */
  keeper?: number
  item: string
  action: 'create' | 'patch' | 'delete'
  before: Item | null
  after: Item | null
  /** The history entry that this change undoes. */
  undoes: string | undefined
  /** Changes of other items that this one affects. */
  furtherChanges: readonly Change[]
}

/** Completes every change: writes the outbox, then the history entry, and returns the entry's id. */
export async function recordChangeOfItem(
  tx: Transaction,
  { collection, furtherChanges, ...changed }: RecordChangeInput,
) {
  const { account, keeper = account, item, action } = changed
  const { name, isPolicy } = collection
  const entry = uuidv7()
  const own = { account, collection: name, item, isPolicy, action: action === 'delete' ? 'remove' : 'save' } as const
  await recordChanges(tx, [own, changeOfHistory({ id: entry, account: keeper }), ...furtherChanges])
  const policyVersion = isPolicy ? 'next' : null
  await recordHistory(tx, { ...changed, id: entry, account: keeper, collection: name, policyVersion })
  return entry
}

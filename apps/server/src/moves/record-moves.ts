import type { Collection } from '@portcullis/contract/collection'
import { v7 as uuidv7 } from 'uuid'
import type { Access } from '../abilities/access.ts'
import { recordChanges } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { changesOfEntries, recordHistoryOf } from '../history/record-history.ts'

type RecordMovesInput = { collection: Collection; items: readonly string[]; from: Access; to: Access }

/**
 * Both accounts record the moves; the database announces that the items left one and entered the other. Returns the entries
 * of the old account, by item.
 */
export async function recordMoves(tx: Transaction, { collection, items, from, to }: RecordMovesInput) {
  if (items.length === 0) return new Map<string, string>()
  const values = { before: { account: from.account._id }, after: { account: to.account._id } }
  const entriesIn = ({ account: { key } }: Access) =>
    items.map((item) => ({ id: uuidv7(), account: key, item, action: 'patch' as const, ...values }))
  const [left, entered] = [entriesIn(from), entriesIn(to)]
  await recordChanges(tx, [...changesOfEntries(left), ...changesOfEntries(entered)])
  const policyVersion = collection.isPolicy ? 'next' : null
  recordHistoryOf(tx, { access: to, collection: collection.name, entries: left, policyVersion })
  recordHistoryOf(tx, { access: to, collection: collection.name, entries: entered, policyVersion: null })
  return new Map(left.map(({ id, item }) => [item, id]))
}

import { removeItem } from '../collections/remove.ts'
import type { Transaction } from '../database/database.ts'
import { currentItem, isGone, type Undoing } from './undoing.ts'

/** Deletes what was created, as the verb does: not while something else depends on it. */
export async function undoCreate(tx: Transaction, undoing: Undoing) {
  const { collection, half, access, entry } = undoing
  if (!(await currentItem(tx, undoing))) throw isGone()
  const removed = await removeItem(tx, { collection, half, access, id: entry.item, undoes: entry.id })
  return { action: 'delete' as const, entry: removed, item: null, notRestored: [] }
}

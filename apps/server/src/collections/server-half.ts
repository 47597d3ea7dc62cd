import type { Sql } from 'sql-template-tag'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'

export type Writing = { tx: Transaction; access: Access }

type Found = { accounts: readonly number[]; filter: unknown }
type Counted = { field: string; bucket?: string | undefined }

/**
 * What a collection adds to the generic verbs, if anything. A `before` function may refuse with an error, and answers
 * the fields to write in addition to those asked for.
 */
export type ServerHalf = {
  beforeCreate?: (writing: Writing, item: Item) => Promise<Item>
  /**
   * Makes what belongs to an item whose row is there now, in the same transaction. `besides`: what only `createSchema`
   * takes, and no field of the item; nothing where a deletion is undone.
   */
  afterCreate?: (writing: Writing, created: { item: Item; besides: Item }) => Promise<void>
  beforePatch?: (writing: Writing, change: { before: Item; changes: Item }) => Promise<Item>
  beforeDelete?: (writing: Writing, item: Item) => Promise<void>
  /** The field that refers to the holder of an item without a name: a refusal names the holder in its place. */
  heldBy?: string
  /** Fields that only the entity's own calls change, and that undo restores nevertheless. */
  restorable?: readonly string[]
  /** Fields that an item has lost where its deletion is undone, such as a password: they are kept elsewhere and end with it. */
  lostOnDelete?: (before: Item) => readonly string[]
  /** Sets of fields; an index finds the newest items for their values, whatever these are. */
  foundBy?: readonly (readonly string[])[]
  /** The query that tells how many items a filter finds, where that is known without counting them. */
  totalOf?: (asked: Found) => Sql | undefined
  /** A table to count them by these fields from, where that takes no look at each: of the same columns, with a `tally`. */
  tallyOf?: (asked: Found & { by: readonly Counted[]; timeZone: string }) => Sql | undefined
}

import type { Sql } from 'sql-template-tag'
import type { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import type { ListSearch } from '../query/list-request.ts'

export type Writing = { tx: Transaction; access: Access }

type CountScope = { accounts: readonly number[]; filter: unknown }
type Counted = { field: string; bucket?: string | undefined }

/**
 * The functions that a collection adds to the generic calls. A `before` function may throw to refuse, and returns fields to
 * write in addition to the requested ones.
 */
export type CollectionHooks = {
  /** `isUndo`: a deletion is undone, so the item was valid when it was stored. */
  beforeCreate?: (writing: Writing, item: Item, created: { id: string; isUndo: boolean }) => Promise<Item>
  /**
   * Creates what belongs to the inserted item, in the same transaction. `otherInput` holds inputs of `createSchema` that
   * are not fields of the item; it is empty when a deletion is undone.
   */
  afterCreate?: (writing: Writing, created: { item: Item; otherInput: Item }) => Promise<void>
  beforePatch?: (writing: Writing, change: { before: Item; changes: Item }) => Promise<Item>
  beforeDelete?: (writing: Writing, item: Item) => Promise<void>
  /** The field that refers to the holder of an item without a name; errors name the holder instead. */
  heldBy?: string
  /**
   * Fields that undoing a deletion cannot restore, such as a password: they are stored elsewhere and deleted with the
   * item.
   */
  lostOnDelete?: (before: Item) => readonly string[]
  /** Fields whose read values are not valid at a creation, with the schema that an undo of a deletion uses. */
  asRead?: Readonly<Record<string, z.ZodType>>
  /** Rewrites the filter, which is valid, and the search of a request for the stored values. */
  lookUp?: (database: Database, request: { access: Access; given: ListSearch }) => Promise<ListSearch>
  /** The id of the item that has taken a written value which is not stored as it is written. */
  takerOf?: (tx: Transaction, value: { accounts: readonly number[]; written: Item }) => Promise<string | undefined>
  /** Sets of fields with an index that finds the newest items for any of their values. */
  foundBy?: readonly (readonly string[])[]
  /** The query for the number of items that a filter finds, where it is known without counting. */
  totalOf?: (scope: CountScope) => Sql | undefined
  /** A relation with the same columns and a `row_count`, which counts items by these fields without reading each. */
  countsOf?: (scope: CountScope & { by: readonly Counted[]; timeZone: string }) => Sql | undefined
}

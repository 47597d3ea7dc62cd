import type { Sql } from 'sql-template-tag'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'

export type Writing = { tx: Transaction; access: Access }

/**
 * What a collection adds to the generic verbs, if anything. A `before` function may refuse with an error, and answers
 * the fields to write in addition to those asked for.
 */
export type ServerHalf = {
  beforeCreate?: (writing: Writing, item: Item) => Promise<Item>
  beforePatch?: (writing: Writing, change: { before: Item; changes: Item }) => Promise<Item>
  beforeDelete?: (writing: Writing, item: Item) => Promise<void>
  /** The query that tells how many items a filter finds, where that is known without counting them. */
  totalOf?: (asked: { accounts: readonly number[]; filter: unknown }) => Sql | undefined
}

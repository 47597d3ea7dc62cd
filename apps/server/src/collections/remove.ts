import type { Collection } from '@portcullis/contract/collection'
import { collections } from '@portcullis/contract/collections/registry'
import pg from 'pg'
import sql from 'sql-template-tag'
import { type Access, demand } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import { accountAbove } from '../abilities/account-tree.ts'
import type { Database, Transaction } from '../database/database.ts'
import { lockTree } from '../history/lock-tree.ts'
import { AppError } from '../errors/app-error.ts'
import { changesOfRemovedLinks } from './changes-of-links.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { snakeCase, tableOf } from '../query/columns.ts'
import { notFound, readItem } from './get.ts'
import { findReferences, includeAncestors, removeLinks } from './links.ts'
import { recordChangeOfItem } from './record-change-of-item.ts'
import type { CollectionHooks } from './collection-hooks.ts'

type RemoveInput = {
  collection: Collection
  hooks: CollectionHooks
  access: Access
  id: string
  /** The history entry that this deletion undoes. */
  undoes?: string
}

/**
 * Deletes an item, and removes it from groups; any other reference is an error with their number. Returns the id of the history
 * entry.
 */
export async function remove(database: Database, input: RemoveInput) {
  return workAs(database, input.access, removal(input))
}

/** Checks such a request. Returns the work that deletes the item, for a transaction. */
export function removal(input: RemoveInput) {
  demand(input.access, { action: 'manage', subject: input.collection.subject })
  return (tx: Transaction) => removeItem(tx, input)
}

/** Deletes inside the caller's transaction. */
export async function removeItem(tx: Transaction, { collection, hooks, access, id, undoes }: RemoveInput) {
  const { key: account, root } = access.account
  if (collection.isPolicy) lockTree(tx, { root, turn: 'alone' })
  const before = await readItem(tx, { collection, accounts: [account], id })
  await hooks.beforeDelete?.({ tx, access }, before)
  const [, references] = await Promise.all([
    includeAncestors(tx, account),
    findReferences(tx, { id, visibleAccounts: access.covered }),
  ])
  if (references.length > 0) throw new AppError('used_by_others', { items: references })
  const links = await removeLinks(tx, id)
  const keeper = before['_id'] === access.account._id ? await accountAbove(tx, account) : account
  await deleteRow(tx, { collection, id, account })
  return recordChangeOfItem(tx, {
    access,
    collection,
    account,
    keeper,
    item: id,
    action: 'delete',
    before,
    after: null,
    undoes,
    furtherChanges: await changesOfRemovedLinks(tx, { collection, item: id, links }),
  })
}

type Row = { collection: Collection; id: string; account: number }

async function deleteRow(tx: Transaction, { collection, id, account }: Row) {
  const table = tableOf(collection)
  try {
    const gone = await tx.run(
      sql`delete from ${table.name} where ${table.id} = ${id} and ${belongsTo(table, [account])}`,
    )
    // Another transaction deleted it since it was read.
    if (gone === 0) throw notFound(collection)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === foreignKeyViolation) throw stillUsed(error)
    throw error
  }
}

const foreignKeyViolation = '23503'

function stillUsed(cause: pg.DatabaseError) {
  const table = cause.table ?? ''
  const entity = entityOf[table] ?? table
  const user = Object.values<Collection>(collections).find((each) => snakeCase(each.entity) === entity)
  const items = [{ collection: user?.name ?? null, count: null, isMore: false }]
  return new AppError('used_by_others', { items }, { cause })
}

/** Tables that are not named after their entity. */
const entityOf: Record<string, string> = { person: 'user', membership: 'user' }

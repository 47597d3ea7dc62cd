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
import { findNaming, lookAbove, removeLinks } from './links.ts'
import { recordChangeOfItem } from './record-change-of-item.ts'
import type { ServerHalf } from './server-half.ts'

type Asked = {
  collection: Collection
  half: ServerHalf
  access: Access
  id: string
  /** The entry of history that this deletion takes back. */
  undoes?: string
}

/** Deletes an item that nothing else depends on; what does is said instead. Answers the entry of history that tells of it. */
export function remove(database: Database, asked: Asked) {
  demand(asked.access, { action: 'manage', subject: asked.collection.subject })
  return workAs(database, asked.access, (tx) => removeItem(tx, asked))
}

/** Deletes inside a transaction that somebody else began. */
export async function removeItem(tx: Transaction, { collection, half, access, id, undoes }: Asked) {
  const { key: account, root } = access.account
  if (collection.isPolicy) lockTree(tx, { root, turn: 'alone' })
  const before = await readItem(tx, { collection, accounts: [account], id })
  await half.beforeDelete?.({ tx, access }, before)
  const [, naming] = await Promise.all([lookAbove(tx, account), findNaming(tx, { id, inSight: access.covered })])
  if (naming.length > 0) throw new AppError('used_by_others', { items: naming })
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
    others: await changesOfRemovedLinks(tx, { collection, item: id, links }),
  })
}

type Row = { collection: Collection; id: string; account: number }

async function deleteRow(tx: Transaction, { collection, id, account }: Row) {
  const table = tableOf(collection)
  try {
    const gone = await tx.run(
      sql`delete from ${table.name} where ${table.id} = ${id} and ${belongsTo(table, [account])}`,
    )
    // Somebody else deleted it since it was read.
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

/** Where a table is not named after the entity whose items it holds. */
const entityOf: Record<string, string> = { person: 'user', membership: 'user' }

import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import type { Database, Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { allFields } from '../query/list-request.ts'
import { itemOf } from '../query/read-items.ts'

type GetInput = { collection: Collection; access: Access; id: string }

/** Returns one item as JSON text. Missing and out-of-scope items give the same 404. */
export async function get(database: Database, { collection, access, id }: GetInput) {
  demand(access, { action: 'view', subject: collection.subject })
  const item = selectItem({ collection, accounts: access.reads, id })
  const [[[text] = []] = []] = await askAs(database, access, [item])
  if (typeof text !== 'string') throw notFound(collection)
  return text
}

type ReadItemInput = { collection: Collection; accounts: readonly number[]; id: string }

/** Reads the item's fields, for comparison and change. */
export async function readItem(tx: Transaction, input: ReadItemInput): Promise<Item> {
  const found = await tx.first(z.object({ item: z.string() }), selectItem(input))
  if (!found) throw notFound(input.collection)
  return z.record(z.string(), z.unknown()).parse(JSON.parse(found.item))
}

function selectItem({ collection, accounts, id }: ReadItemInput) {
  requireId(collection, id)
  const table = tableOf(collection)
  const item = itemOf({ collection, fields: allFields(collection), accounts })
  const isIt = sql`${table.id} = ${id} and ${belongsTo(table, accounts)}`
  return prepared(sql`select ${item}::text as item from ${table.source} where ${isIt}`)
}

/** An invalid id gives 404, like an unknown one. */
export function requireId(collection: Collection, id: string) {
  if (!z.uuid().safeParse(id).success) throw notFound(collection)
}

export function notFound({ name }: Collection) {
  return new AppError('not_found', { collection: name })
}

import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import type { Database, Transaction } from '../database/database.ts'
import { kept } from '../database/kept-statements.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { allFields } from '../query/list-request.ts'
import { itemOf } from '../query/read-items.ts'

type Asked = { collection: Collection; access: Access; id: string }

/** Answers one item as JSON text; what is foreign and what is not there give the same 404. */
export async function get(database: Database, { collection, access, id }: Asked) {
  demand(access, { action: 'view', subject: collection.subject })
  const item = selectItem({ collection, accounts: access.reads, id })
  const [[[text] = []] = []] = await askAs(database, access, [item])
  if (typeof text !== 'string') throw notFound(collection)
  return text
}

type Wanted = { collection: Collection; accounts: readonly number[]; id: string }

/** The item's fields, to be compared and changed. */
export async function readItem(tx: Transaction, wanted: Wanted): Promise<Item> {
  const found = await tx.first(z.object({ item: z.string() }), selectItem(wanted))
  if (!found) throw notFound(wanted.collection)
  return z.record(z.string(), z.unknown()).parse(JSON.parse(found.item))
}

function selectItem({ collection, accounts, id }: Wanted) {
  demandId(collection, id)
  const table = tableOf(collection)
  const item = itemOf({ collection, fields: allFields(collection), accounts })
  const isIt = sql`${table.id} = ${id} and ${belongsTo(table, accounts)}`
  return kept(sql`select ${item}::text as item from ${table.source} where ${isIt}`)
}

/** What is no id is as absent as an id that nothing has. */
export function demandId(collection: Collection, id: string) {
  if (!z.uuid().safeParse(id).success) throw notFound(collection)
}

export function notFound({ name }: Collection) {
  return new AppError('not_found', { collection: name })
}

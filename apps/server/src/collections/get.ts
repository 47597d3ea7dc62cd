import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../http/app-error.ts'
import { belongsTo } from './belongs-to.ts'
import { tableOf } from './columns.ts'
import { allFields } from './list-request.ts'
import { readItems } from './read-items.ts'

type Asked = { collection: Collection; access: Access; id: string }

/** Answers one item as JSON text; what is foreign and what is not there give the same 404. */
export function get(database: Database, { collection, access, id }: Asked) {
  demand(access, { action: 'view', subject: collection.subject })
  return database.inAccounts(access.reads, (tx) => readText(tx, { collection, accounts: access.reads, id }))
}

type Wanted = { collection: Collection; accounts: readonly number[]; id: string }

export async function readText(tx: Transaction, { collection, accounts, id }: Wanted) {
  if (!z.uuid().safeParse(id).success) throw notFound(collection)
  const table = tableOf(collection)
  const [row] = await readItems(tx, {
    collection,
    fields: allFields(collection),
    where: sql`${table.id} = ${id} and ${belongsTo(table, accounts)}`,
  })
  if (!row) throw notFound(collection)
  return row.item
}

/** The item's fields, to be compared and changed. */
export async function readItem(tx: Transaction, wanted: Wanted): Promise<Item> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(await readText(tx, wanted)))
}

/** The key of the account that an item belongs to; a new account belongs to itself. */
export async function accountOf(tx: Transaction, { collection, id }: { collection: Collection; id: string }) {
  const table = tableOf(collection)
  const row = await tx.first(
    z.object({ account: z.int() }),
    sql`select ${table.account} as account from ${table.name} where ${table.id} = ${id}`,
  )
  if (!row) throw notFound(collection)
  return row.account
}

export function notFound({ name }: Collection) {
  return new AppError('not_found', `There is no such item in ${name}.`)
}

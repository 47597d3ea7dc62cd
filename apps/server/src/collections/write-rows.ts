import type { Collection } from '@portcullis/contract/collection'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { Item } from '../history/record-history.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { type Column, tableOf } from '../query/columns.ts'

type InsertRowInput = { collection: Collection; id: string; account: number; version: number; item: Item }

/** Inserts the row of an item; links and run-time state are stored in other tables. */
export function insertRow(tx: Transaction, { collection, id, account, version, item }: InsertRowInput) {
  const table = tableOf(collection)
  const names: Sql[] = [table.id, table.account, table.version]
  const values: Sql[] = [sql`${id}::uuid`, sql`${account}`, sql`${version}`]
  for (const column of writable(collection, item)) {
    names.push(column.bare)
    values.push(valueOf(column, item[column.field]))
  }
  tx.send(prepared(sql`insert into ${table.name} (${join(names)}) values (${join(values)})`))
}

type UpdateRowInput = { collection: Collection; id: string; account: number; version: number; changes: Item }

/** Updates the row if it still has the version that was read; returns whether it did. */
export async function updateRow(tx: Transaction, { collection, id, account, version, changes }: UpdateRowInput) {
  const table = tableOf(collection)
  const set = writable(collection, changes).map(
    (column) => sql`${column.bare} = ${valueOf(column, changes[column.field])}`,
  )
  set.push(sql`${table.version} = ${version + 1}`, sql`${table.updatedAt} = now()`)
  const update = sql`update ${table.name} set ${join(set)}
    where ${table.id} = ${id} and ${belongsTo(table, [account])} and ${table.version} = ${version}`
  // Only updates of one field are prepared: there are too many combinations of fields.
  const touched = await tx.run(Object.keys(changes).length > 1 ? update : prepared(update))
  return touched === 1
}

export function writable(collection: Collection, item: Item): Column[] {
  return [...tableOf(collection).columns.values()].filter(
    ({ field, link }) =>
      !link && !base.includes(field) && !(field in collection.fields.state) && item[field] !== undefined,
  )
}

const base = ['_id', 'account', 'version', 'createdAt', 'updatedAt']

function valueOf({ kind }: Column, value: unknown): Sql {
  return kind === 'json' ? sql`${value === null ? null : JSON.stringify(value)}::jsonb` : sql`${value}`
}

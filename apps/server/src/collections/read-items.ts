import type { Collection } from '@portcullis/contract/collection'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { tableOf } from './columns.ts'

export const itemRow = z.object({ item: z.string(), key: z.string().nullable(), id: z.uuid(), account: z.int() })
export type ItemRow = z.output<typeof itemRow>

type Asked = {
  collection: Collection
  fields: readonly string[]
  where: Sql
  order?: Sql
  /** What a cursor must carry besides id and account: the sort value as text. */
  key?: Sql
  limit?: number
  offset?: number
}

/** Items as JSON texts, made by the database: the server passes them on without taking them apart. */
export function readItems(tx: Transaction, asked: Asked) {
  return tx.rows(itemRow, selectItems(asked))
}

export function selectItems({ collection, fields, where, order, key, limit, offset }: Asked): Sql {
  const table = tableOf(collection)
  const outputs = fields.flatMap((field) => {
    const column = table.columns.get(field)
    return column ? [sql`${column.output} as ${raw(`"${field}"`)}`] : []
  })
  return sql`select item::text as item, key, id, account from (
      select (select row_to_json(item_fields) from (select ${join(outputs)}) item_fields) as item,
             ${key ?? sql`null`} as key, ${table.id} as id, ${table.account} as account
        from ${table.source}
       where ${where}
       ${order ? sql`order by ${order}` : empty}
       ${limit === undefined ? empty : sql`limit ${limit}`}
       ${offset ? sql`offset ${offset}` : empty}
    ) page`
}

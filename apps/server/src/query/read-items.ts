import type { Collection } from '@portcullis/contract/collection'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { tableOf } from './columns.ts'

const itemRow = z.object({ item: z.string(), id: z.uuid(), account: z.int() })

type ReadItemsInput = { collection: Collection; fields: readonly string[]; where: Sql }

/** Reads items as JSON texts built by the database, which the server passes on unparsed. */
export function readItems(tx: Transaction, { collection, fields, where }: ReadItemsInput) {
  const { id, account, source } = tableOf(collection)
  const item = itemOf({ collection, fields, accounts: [] })
  return tx.rows(
    itemRow,
    sql`select ${item}::text as item, ${id} as id, ${account} as account from ${source} where ${where}`,
  )
}

type ItemExpressionInput = { collection: Collection; fields: readonly string[]; accounts: readonly number[] }

/** The expression for the JSON of an item. With a single account, its id is looked up once. */
export function itemOf({ collection, fields, accounts }: ItemExpressionInput): Sql {
  const { columns } = tableOf(collection)
  const [only, ...others] = accounts
  const isAlone = only !== undefined && others.length === 0
  const outputs = fields.flatMap((field) => {
    const column = columns.get(field)
    if (!column) return []
    const output = field === 'account' && isAlone ? accountId(only) : column.output
    return [sql`${output} as ${raw(`"${field}"`)}`]
  })
  return sql`(select row_to_json(item_fields) from (select ${join(outputs)}) item_fields)`
}

function accountId(key: number) {
  return sql`(select account_id from account of_item where of_item.account_key = ${key}::int)`
}

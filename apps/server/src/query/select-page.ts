import type { Collection } from '@portcullis/contract/collection'
import { isPosition } from '@portcullis/contract/fields'
import { problem } from '@portcullis/contract/errors/problem'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { unusable } from '../errors/unusable.ts'
import { type Column, columnToAsk, tableOf } from './columns.ts'
import { behindCursor, keyOf, orderOf } from './cursor.ts'
import { listCondition, type Wanted } from './list-condition.ts'
import type { ListRequest } from './list-request.ts'
import { itemOf } from './read-items.ts'

/**
 * `together`: the rows of all accounts are read in the order of the list, which is quick where an index has that order and
 * holds little else. `apart`: the first page of each account is read, and the first of these are kept, which costs the same
 * whatever else the table holds.
 */
export type Way = 'together' | 'apart'

type Asked = Wanted & { accounts: readonly number[]; request: ListRequest; way: Way }

/** The statement that reads a page, as one row: the items as one JSON text, how many they are, and the place of the last. */
export function selectPage(asked: Asked): Sql {
  const column = sortColumn(asked.collection, asked.request)
  const rows = asked.way === 'apart' ? rowsApart(asked, column) : rowsTogether(asked, column)
  const last = (name: Sql) => sql`(array_agg(${name}))[count(*)]`
  return sql`select coalesce(json_agg(item), '[]')::text, count(*), ${keyOf(column, last(sql`key`))}, ${last(sql`id`)},
      ${last(sql`account`)} from (${rows}) page`
}

function rowsTogether({ request, ...wanted }: Asked, column: Column) {
  const { collection, accounts } = wanted
  const table = tableOf(collection)
  const { fields, sort } = request
  return sql`select ${itemOf({ collection, fields, accounts })} as item, ${column.name} as key, ${table.id} as id,
      ${table.account} as account
    from ${table.source} where ${conditionOf({ request, ...wanted }, column)}
    order by ${orderOf({ table, column, sort })} ${limitOf(request)}`
}

/** Only places are read for each account; items are made of those that are shown. */
function rowsApart({ request, accounts, ...wanted }: Asked, column: Column) {
  const { collection } = wanted
  const table = tableOf(collection)
  const { size, fields, sort } = request
  const own = conditionOf({ request, accounts: sql`in_sight.account`, ...wanted }, column)
  const isThere = sql`${table.id} = page.id and ${table.account} = page.account`
  const orderIn = ({ key, id, account }: Record<'key' | 'id' | 'account', Sql>) =>
    orderOf({ table: { ...table, id, account }, column: { ...column, name: key }, sort })
  return sql`select ${itemOf({ collection, fields, accounts })} as item, page.key, page.id, page.account
    from (
      select found.* from unnest(${accounts}::int[]) in_sight (account) cross join lateral (
        select ${column.name} as key, ${table.id} as id, ${table.account} as account from ${table.source} where ${own}
         order by ${orderOf({ table, column, sort })} limit ${raw(String(size + offsetOf(request)))}
      ) found
      where found.account = in_sight.account
      order by ${orderIn({ key: sql`found.key`, id: sql`found.id`, account: sql`found.account` })} ${limitOf(request)}
    ) page cross join lateral (
      select * from ${table.source} where ${column.isNullable ? isThere : sql`${isThere} and ${column.name} = page.key`}
    ) ${table.name}
    order by ${orderIn({ key: sql`page.key`, id: sql`page.id`, account: sql`page.account` })}`
}

/** What a page shows: the list, from its cursor on, and where it is followed only as far as it is settled. */
function conditionOf({ request, ...wanted }: Wanted & { request: ListRequest }, column: Column) {
  const { after, sort } = request
  const conditions = [listCondition({ ...wanted, request })]
  if (after !== undefined) conditions.push(behindCursor(after, { table: tableOf(wanted.collection), column, sort }))
  if (isFollowed(wanted.collection, sort)) conditions.push(sql`${column.name} < ${openFrom}`)
  return join(conditions, ' and ')
}

/** The oldest transaction that is still open: what it writes will have this place. */
const openFrom = sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

/** Whether somebody reads a log in the order in which nothing appears behind what was read. */
export function isFollowed({ entitySchema }: Collection, { prop, dir }: ListRequest['sort']) {
  const shape: Readonly<Record<string, z.core.$ZodType>> = entitySchema.shape
  const field = shape[prop]
  return dir === 'asc' && field !== undefined && isPosition(field)
}

function sortColumn(collection: Collection, { sort }: ListRequest) {
  const column = columnToAsk(tableOf(collection), sort.prop)
  if (!column) throw unusable('sort', problem('not_sortable', { field: sort.prop }))
  return column
}

/** Written out, for the planner takes a limit that it does not know for a tenth of all. */
function limitOf(request: ListRequest) {
  const offset = offsetOf(request)
  return raw(offset === 0 ? `limit ${request.size}` : `limit ${request.size} offset ${offset}`)
}

function offsetOf({ after, page, size }: ListRequest) {
  return after === undefined ? page * size : 0
}

import type { Collection } from '@portcullis/contract/collection'
import { isPosition } from '@portcullis/contract/fields'
import { problem } from '@portcullis/contract/errors/problem'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { unusable } from '../errors/unusable.ts'
import { type Column, queryableColumn, tableOf } from './columns.ts'
import { behindCursor, keyOf, orderOf } from './cursor.ts'
import { listCondition, type ListConditionInput } from './list-condition.ts'
import type { ListRequest } from './list-request.ts'
import { itemOf } from './read-items.ts'

/**
 * `together`: reads the rows of all accounts in the order of the list, which is fast where an index has that order and
 * holds few other rows. `apart`: reads the first page of each account and keeps the first of these, at a cost
 * independent of the rest of the table.
 */
export type Way = 'together' | 'apart'

type SelectPageInput = ListConditionInput & { accounts: readonly number[]; request: ListRequest; way: Way }

/** The query that reads a page as one row: the items as one JSON text, their number, and the position of the last. */
export function selectPage(input: SelectPageInput): Sql {
  const column = sortColumn(input.collection, input.request)
  const rows = input.way === 'apart' ? rowsApart(input, column) : rowsTogether(input, column)
  const last = (name: Sql) => sql`(array_agg(${name}))[count(*)]`
  return sql`select coalesce(json_agg(item), '[]')::text, count(*), ${keyOf(column, last(sql`key`))}, ${last(sql`id`)},
      ${last(sql`account`)} from (${rows}) page`
}

function rowsTogether({ request, ...selection }: SelectPageInput, column: Column) {
  const { collection, accounts } = selection
  const table = tableOf(collection)
  const { fields, sort } = request
  return sql`select ${itemOf({ collection, fields, accounts })} as item, ${column.name} as key, ${table.id} as id,
      ${table.account} as account
    from ${table.source} where ${conditionOf({ request, ...selection }, column)}
    order by ${orderOf({ table, column, sort })} ${limitOf(request)}`
}

/** Reads only positions for each account; items are built for the page alone. */
function rowsApart({ request, accounts, ...selection }: SelectPageInput, column: Column) {
  const { collection } = selection
  const table = tableOf(collection)
  const { size, fields, sort } = request
  const own = conditionOf({ request, accounts: sql`in_sight.account`, ...selection }, column)
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

/** The condition of a page: the list after its cursor. A followed list ends before rows of open transactions. */
function conditionOf({ request, ...selection }: ListConditionInput & { request: ListRequest }, column: Column) {
  const { after, sort } = request
  const conditions = [listCondition({ ...selection, request })]
  if (after !== undefined) conditions.push(behindCursor(after, { table: tableOf(selection.collection), column, sort }))
  if (isFollowed(selection.collection, sort)) conditions.push(sql`${column.name} < ${openFrom}`)
  return join(conditions, ' and ')
}

/** The id of the oldest open transaction, which is the lowest position that can still be written. */
const openFrom = sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

/** Whether a log is read by position, in which new entries only appear at the end. */
export function isFollowed({ entitySchema }: Collection, { prop, dir }: ListRequest['sort']) {
  const shape: Readonly<Record<string, z.core.$ZodType>> = entitySchema.shape
  const field = shape[prop]
  return dir === 'asc' && field !== undefined && isPosition(field)
}

function sortColumn(collection: Collection, { sort }: ListRequest) {
  const column = queryableColumn(tableOf(collection), sort.prop)
  if (!column) throw unusable('sort', problem('not_sortable', { field: sort.prop }))
  return column
}

/** A literal, because the planner takes an unknown limit for a tenth of all rows. */
function limitOf(request: ListRequest) {
  const offset = offsetOf(request)
  return raw(offset === 0 ? `limit ${request.size}` : `limit ${request.size} offset ${offset}`)
}

function offsetOf({ after, page, size }: ListRequest) {
  return after === undefined ? page * size : 0
}

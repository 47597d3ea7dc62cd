import type { Collection } from '@portcullis/contract/collection'
import sql, { join, type Sql } from 'sql-template-tag'
import { belongsTo } from './belongs-to.ts'
import { tableOf } from './columns.ts'
import { contains, filterCondition } from './filter.ts'
import type { ListSearch } from './list-request.ts'

export type ListConditionInput = {
  collection: Collection
  /** Keys of accounts, or the expression of one. */
  accounts: readonly number[] | Sql
  request: ListSearch
  /** Narrows the list in addition to the filter: the members of a group. */
  among?: Sql | undefined
}

/** The condition for reading many items: those in scope that match the filter and the search. */
export function listCondition({ collection, accounts, request, among }: ListConditionInput) {
  const table = tableOf(collection)
  const conditions = [
    belongsTo(table, accounts),
    filterCondition(request.filter, { table, queryable: collection.queryable }),
  ]
  if (request.search) conditions.push(searchCondition(collection, request.search))
  if (among) conditions.push(among)
  return join(conditions, ' and ')
}

function searchCondition(collection: Collection, search: string) {
  const { columns } = tableOf(collection)
  const found = collection.searchable.flatMap((field) => {
    const column = columns.get(field)
    return column ? [sql`${column.name} ilike ${contains(search)}`] : []
  })
  return found.length === 0 ? sql`false` : sql`(${join(found, ' or ')})`
}

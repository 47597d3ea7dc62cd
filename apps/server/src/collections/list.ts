import type { Collection } from '@portcullis/contract/collection'
import sql, { join, type Sql } from 'sql-template-tag'
import { type Access, demand } from '../abilities/access.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../http/app-error.ts'
import { tableOf } from './columns.ts'
import { countUpTo } from './count.ts'
import { behindCursor, cursorAfter, keyOf, orderOf } from './cursor.ts'
import { listCondition, type Wanted } from './list-condition.ts'
import type { ListRequest } from './list-request.ts'
import { type ItemRow, itemRow, selectItems } from './read-items.ts'

type ListAsked = { collection: Collection; access: Access; request: ListRequest; among?: Sql | undefined }

/** Answers a page of a collection as JSON text. */
export function list(database: Database, { collection, access, request, among }: ListAsked) {
  demand(access, { action: 'view', subject: collection.subject })
  const asked = { collection, request, accounts: access.reads, among }
  const [page, where] = [selectPage(asked), listCondition(asked)]
  return database.inAccounts(access.reads, async (tx) => {
    const rows = await tx.rows(itemRow, page)
    const total = await countUpTo(tx, { collection, where })
    return pageText({ rows, request, total, isFollowed: isFollowed(collection, request.sort) })
  })
}

type PageAsked = Wanted & { request: ListRequest }

/** The statement that reads a page: its plan is what keeps long lists fast. */
export function selectPage({ collection, accounts, request, among }: PageAsked) {
  const { sort, size, page, after, fields } = request
  const table = tableOf(collection)
  const column = table.columns.get(sort.prop)
  if (!column) throw new AppError('bad_request', `"${sort.prop}" is not a field to sort by.`)
  const conditions = [listCondition({ collection, accounts, request, among })]
  if (after !== undefined) conditions.push(behindCursor(after, { table, column, sort }))
  if (isFollowed(collection, sort)) conditions.push(sql`${column.name} < ${openFrom}`)
  return selectItems({
    collection,
    fields,
    where: join(conditions, ' and '),
    order: orderOf({ table, column, sort }),
    key: keyOf(column),
    limit: size,
    offset: after === undefined ? page * size : 0,
  })
}

/** The oldest transaction that is still open: what it writes will have this place. */
const openFrom = sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

function isFollowed({ followedBy }: Collection, { prop, dir }: ListRequest['sort']) {
  return prop === followedBy && dir === 'asc'
}

type PageText = {
  rows: ItemRow[]
  request: ListRequest
  total: { count: number; exact: boolean }
  isFollowed: boolean
}

function pageText({ rows, request, total, isFollowed: goesOn }: PageText) {
  const { size, page, sort, after } = request
  const last = goesOn || rows.length === size ? rows.at(-1) : undefined
  const next = last ? cursorAfter(last, sort) : goesOn ? (after ?? null) : null
  const info = {
    size,
    totalElements: total.count,
    totalPages: Math.ceil(total.count / size),
    pageNumber: page,
    ...(total.exact ? {} : { totalExact: false }),
  }
  return `{"items":[${rows.map(({ item }) => item).join(',')}],"page":${JSON.stringify(info)},"next":${JSON.stringify(next)}}`
}

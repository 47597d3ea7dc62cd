import type { Collection } from '@portcullis/contract/collection'
import type { Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { selectCount, parseCount } from './count.ts'
import { cursorAfter, type Place } from '../query/cursor.ts'
import { hasSteadyPlan, preferIndexOrder } from '../query/has-steady-plan.ts'
import { type ListRequest, readListRequest } from '../query/list-request.ts'
import type { CollectionHooks } from './collection-hooks.ts'
import { lookedUp } from './looked-up.ts'
import { isFollowed, selectPage } from '../query/select-page.ts'
import { pageStrategyOf } from '../query/page-strategy.ts'

type ListInput = {
  collection: Collection
  hooks: CollectionHooks
  access: Access
  query: unknown
  among?: Sql | undefined
}

/** Returns a page of a collection as JSON text. */
export async function list(database: Database, { collection, hooks, access, query, among }: ListInput) {
  demand(access, { action: 'view', subject: collection.subject })
  const input = readListRequest(collection, query)
  const request = { ...input, ...(await lookedUp(database, { collection, hooks, access, request: input })) }
  const selection = { collection, accounts: access.reads, request, among }
  const way = await pageStrategyOf(database, selection)
  const isSteady =
    hasSteadyPlan({ ...selection, foundBy: hooks.foundBy }) && (way === 'apart' || access.reads.length === 1)
  const queries = [selectPage({ ...selection, way }), selectCount({ ...selection, hooks })]
  const statements = isSteady ? [preferIndexOrder, ...queries.map(prepared)] : queries
  const [page, total] = (await askAs(database, access, statements)).slice(-queries.length)
  const [items, count, key, id, account] = pageRow.parse(page?.[0])
  const place = id === null || account === null ? undefined : { key, id, account: Number(account) }
  return pageText({ collection, request, items, count, place, total: parseCount(total) })
}

const pageRow = z.tuple([
  z.string(),
  z.coerce.number(),
  z.string().nullable(),
  z.string().nullable(),
  z.string().nullable(),
])

type PageText = {
  collection: Collection
  request: ListRequest
  items: string
  count: number
  place: Place | undefined
  total: { count: number; exact: boolean }
}

function pageText({ collection, request, items, count, place, total }: PageText) {
  const { size, page } = request
  const info = {
    size,
    totalElements: total.count,
    totalPages: Math.ceil(total.count / size),
    pageNumber: page,
    ...(total.exact ? {} : { totalExact: false }),
  }
  const next = nextOf({ collection, request, count, place }) ?? null
  return `{"items":${items},"page":${JSON.stringify(info)},"next":${JSON.stringify(next)}}`
}

/** The cursor of the next page. A followed list always has one, to poll for new entries. */
function nextOf({ collection, request, count, place }: Pick<PageText, 'collection' | 'request' | 'count' | 'place'>) {
  const { sort, size, after } = request
  const goesOn = isFollowed(collection, sort)
  if (place && (goesOn || count === size)) return cursorAfter(place, sort)
  return goesOn ? after : undefined
}

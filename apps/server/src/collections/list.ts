import type { Collection } from '@portcullis/contract/collection'
import type { Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import type { Database } from '../database/database.ts'
import { kept } from '../database/kept-statements.ts'
import { selectCount, countedIn } from './count.ts'
import { cursorAfter, type Place } from '../query/cursor.ts'
import { hasSteadyPlan, readInOrder } from '../query/has-steady-plan.ts'
import type { ListRequest } from '../query/list-request.ts'
import type { ServerHalf } from './server-half.ts'
import { isFollowed, selectPage } from '../query/select-page.ts'
import { wayOf } from '../query/way-of.ts'

type Asked = { collection: Collection; half: ServerHalf; access: Access; request: ListRequest; among?: Sql | undefined }

/** Answers a page of a collection as JSON text. */
export async function list(database: Database, { collection, half, access, request, among }: Asked) {
  demand(access, { action: 'view', subject: collection.subject })
  const wanted = { collection, accounts: access.reads, request, among }
  const way = await wayOf(database, wanted)
  const isSteady = hasSteadyPlan({ ...wanted, foundBy: half.foundBy }) && (way === 'apart' || access.reads.length === 1)
  const queries = [selectPage({ ...wanted, way }), selectCount({ ...wanted, half })]
  const asked = isSteady ? [readInOrder, ...queries.map(kept)] : queries
  const [page, total] = (await askAs(database, access, asked)).slice(-queries.length)
  const [items, count, key, id, account] = pageRow.parse(page?.[0])
  const place = id === null || account === null ? undefined : { key, id, account: Number(account) }
  return pageText({ collection, request, items, count, place, total: countedIn(total) })
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

/** Where a list goes on; one that is followed always does. */
function nextOf({ collection, request, count, place }: Pick<PageText, 'collection' | 'request' | 'count' | 'place'>) {
  const { sort, size, after } = request
  const goesOn = isFollowed(collection, sort)
  if (place && (goesOn || count === size)) return cursorAfter(place, sort)
  return goesOn ? after : undefined
}

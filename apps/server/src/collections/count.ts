import type { Collection } from '@portcullis/contract/collection'
import { countQueryString } from '@portcullis/contract/count-query'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import type { Cells, Question } from '../database/ask-all.ts'
import type { Database } from '../database/database.ts'
import { parseInput } from '../http/parse-input.ts'
import { tableOf } from './columns.ts'
import { listCondition, type Wanted } from './list-condition.ts'
import { filterOf } from './list-request.ts'

/** Up to here a total is counted exactly; beyond it is said to be a bound. */
const mostCounted = 100_000

type Asked = { collection: Collection; access: Access; query: unknown }

/** How many items a list of the same filter and search would show. */
export async function count(database: Database, { collection, access, query }: Asked) {
  demand(access, { action: 'view', subject: collection.subject })
  const { filter, search } = parseInput(countQueryString, query)
  const request = { filter: filterOf(filter), search: search?.trim() ?? '' }
  const [total] = await askAs(database, access, [countQuestion({ collection, accounts: access.reads, request })])
  return countedIn(total)
}

/** Asks no further than costs less than it tells: a larger count is a bound, and not exact. */
export function countQuestion(wanted: Wanted): Question {
  const { source } = tableOf(wanted.collection)
  const rows = sql`select from ${source} where ${listCondition(wanted)} limit ${mostCounted + 1}`
  return { query: sql`select count(*) from (${rows}) counted`, plan: 'fresh' }
}

const countRow = z.tuple([z.coerce.number()])

export function countedIn(rows: Cells[] | undefined) {
  const [total] = countRow.parse(rows?.[0])
  return { count: Math.min(total, mostCounted), exact: total <= mostCounted }
}

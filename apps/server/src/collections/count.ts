import type { Collection } from '@portcullis/contract/collection'
import { countQueryString } from '@portcullis/contract/count-query'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import type { Database, Transaction } from '../database/database.ts'
import { parseInput } from '../http/parse-input.ts'
import { tableOf } from './columns.ts'
import { listCondition } from './list-condition.ts'
import { filterOf } from './list-request.ts'

/** Up to here a total is counted exactly; beyond it is said to be a bound. */
const mostCounted = 100_000

type Asked = { collection: Collection; access: Access; query: unknown }

/** How many items a list of the same filter and search would show. */
export function count(database: Database, { collection, access, query }: Asked) {
  demand(access, { action: 'view', subject: collection.subject })
  const { filter, search } = parseInput(countQueryString, query)
  const request = { filter: filterOf(filter), search: search?.trim() ?? '' }
  const where = listCondition({ collection, accounts: access.reads, request })
  return database.inAccounts(access.reads, (tx) => countUpTo(tx, { collection, where }))
}

/** Counts no further than costs less than it tells: a larger count is a bound, and not exact. */
export async function countUpTo(tx: Transaction, { collection, where }: { collection: Collection; where: Sql }) {
  const { source } = tableOf(collection)
  const counted = await tx.first(
    z.object({ total: z.number() }),
    sql`select count(*) as total from (select from ${source} where ${where} limit ${mostCounted + 1}) counted`,
  )
  const total = counted?.total ?? 0
  return { count: Math.min(total, mostCounted), exact: total <= mostCounted }
}

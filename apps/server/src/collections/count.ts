import type { Collection } from '@portcullis/contract/collection'
import { countQueryString } from '@portcullis/contract/count-query'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { askAs } from '../abilities/access-proof.ts'
import type { Cells } from '../database/send-batch.ts'
import type { Database } from '../database/database.ts'
import { parseInput } from '../input/parse-input.ts'
import { tableOf } from '../query/columns.ts'
import { listCondition, type Wanted } from '../query/list-condition.ts'
import { filterOf } from '../query/list-request.ts'
import type { ServerHalf } from './server-half.ts'

/** Up to here a total is counted exactly; beyond it is said to be a bound. */
const mostCounted = 100_000

type Asked = { collection: Collection; half: ServerHalf; access: Access; query: unknown }

/** How many items a list of the same filter and search would show. */
export async function count(database: Database, { collection, half, access, query }: Asked) {
  demand(access, { action: 'view', subject: collection.subject })
  const { filter, search } = parseInput(countQueryString, query)
  const request = { filter: filterOf(filter), search: search?.trim() ?? '' }
  const [total] = await askAs(database, access, [selectCount({ collection, half, accounts: access.reads, request })])
  return countedIn(total)
}

type Counted = Wanted & { half: ServerHalf; accounts: readonly number[] }

/** Counts no further than costs less than it tells: a larger count is a bound, and not exact. */
export function selectCount({ half, ...wanted }: Counted) {
  const { collection, accounts, request, among } = wanted
  const where = listCondition(wanted)
  const isPlain = request.search === '' && among === undefined
  const total = isPlain ? half.totalOf?.({ accounts, filter: request.filter }) : undefined
  return total ? knownTotal(total) : countUpTo(sql`from ${tableOf(collection).source} where ${where}`)
}

function knownTotal(total: Sql) {
  return sql`select (${total}), true`
}

function countUpTo(rows: Sql) {
  return sql`select least(count(*), ${mostCounted}::int), count(*) <= ${mostCounted}::int
    from (select ${rows} limit ${mostCounted + 1}) counted`
}

const countRow = z.tuple([z.coerce.number(), z.string()])

export function countedIn(rows: Cells[] | undefined) {
  const [count, exact] = countRow.parse(rows?.[0])
  return { count, exact: exact === 't' }
}

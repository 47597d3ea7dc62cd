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
import { listCondition, type ListConditionInput } from '../query/list-condition.ts'
import { filterOf } from '../query/list-request.ts'
import type { CollectionHooks } from './collection-hooks.ts'
import { lookedUp } from './looked-up.ts'

/** Totals are exact up to this number; above, the total is a lower bound. */
const maxExactCount = 100_000

type CountInput = { collection: Collection; hooks: CollectionHooks; access: Access; query: unknown }

/** How many items a list of the same filter and search would show. */
export async function count(database: Database, { collection, hooks, access, query }: CountInput) {
  demand(access, { action: 'view', subject: collection.subject })
  const { filter, search } = parseInput(countQueryString, query)
  const request = await lookedUp(database, {
    collection,
    hooks,
    access,
    request: { filter: filterOf(filter), search: search?.trim() ?? '' },
  })
  const [total] = await askAs(database, access, [selectCount({ collection, hooks, accounts: access.reads, request })])
  return parseCount(total)
}

type SelectCountInput = ListConditionInput & { hooks: CollectionHooks; accounts: readonly number[] }

/** Counts up to the limit, to bound the cost: a larger total is a lower bound and not exact. */
export function selectCount({ hooks, ...selection }: SelectCountInput) {
  const { collection, accounts, request, among } = selection
  const where = listCondition(selection)
  const isPlain = request.search === '' && among === undefined
  const total = isPlain ? hooks.totalOf?.({ accounts, filter: request.filter }) : undefined
  return total ? readTotal(total) : countUpTo(sql`from ${tableOf(collection).source} where ${where}`)
}

function readTotal(total: Sql) {
  return sql`select (${total}), true`
}

function countUpTo(rows: Sql) {
  return sql`select least(count(*), ${maxExactCount}::int), count(*) <= ${maxExactCount}::int
    from (select ${rows} limit ${maxExactCount + 1}) counted`
}

const countRow = z.tuple([z.coerce.number(), z.string()])

export function parseCount(rows: Cells[] | undefined) {
  const [count, exact] = countRow.parse(rows?.[0])
  return { count, exact: exact === 't' }
}

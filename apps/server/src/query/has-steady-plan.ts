import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { prepared } from '../database/prepared-statements.ts'
import { allFields, type ListRequest } from './list-request.ts'

type SteadyPlanInput = {
  collection: Collection
  request: ListRequest
  among?: unknown
  /** Sets of fields with an index that finds the newest items for any of their values. */
  foundBy?: readonly (readonly string[])[] | undefined
}

/**
 * Whether one plan suits a list for all values: the newest items, either all of them or those that an index finds by the
 * fields of the filter. Such lists are few in kind but the most frequent.
 */
export function hasSteadyPlan({ collection, request, among, foundBy = [] }: SteadyPlanInput) {
  const { sort, page, size, after, search, fields, filter } = request
  const isNewestFirst = sort.prop === collection.newestBy && sort.dir === 'desc'
  const isWhole = fields.join() === allFields(collection).join() && search === '' && among === undefined
  const isUsual = usualSizes.includes(size) && (page === 0 || after !== undefined)
  return isNewestFirst && isWhole && isUsual && isFoundAtOnce(foundBy, filter)
}

const usualSizes = [20, 50, 100]

/**
 * Makes PostgreSQL read a list with a steady plan in the order of an index. A plan for all values assumes an average
 * account, whose few rows it may sort, and would also sort those of the largest account.
 */
export const preferIndexOrder = prepared(sql`select set_config('enable_sort', 'off', true)`)

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

function isFoundAtOnce(foundBy: readonly (readonly string[])[], filter: unknown) {
  const parsed = values.safeParse(filter)
  if (!parsed.success) return false
  const fields = Object.keys(parsed.data)
  return fields.length === 0 || foundBy.some((indexed) => fields.join() === indexed.join())
}

import type { Collection } from '@portcullis/contract/collection'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { kept } from '../database/kept-statements.ts'
import { allFields, type ListRequest } from './list-request.ts'

type Asked = {
  collection: Collection
  request: ListRequest
  among?: unknown
  /** Sets of fields by whose values an index finds the newest items. */
  foundBy?: readonly (readonly string[])[] | undefined
}

/**
 * Whether one plan is good for a list whatever the values in it: the newest items, all of them or those that an index finds
 * by the fields they are asked by. There are few such lists, and they are asked for most.
 */
export function hasSteadyPlan({ collection, request, among, foundBy = [] }: Asked) {
  const { sort, page, size, after, search, fields, filter } = request
  const isNewestFirst = sort.prop === collection.newestBy && sort.dir === 'desc'
  const isWhole = fields.join() === allFields(collection).join() && search === '' && among === undefined
  const isUsual = usualSizes.includes(size) && (page === 0 || after !== undefined)
  return isNewestFirst && isWhole && isUsual && isFoundAtOnce(foundBy, filter)
}

const usualSizes = [20, 50, 100]

/**
 * Asked before a steady list is: that it be read in the order of an index. A plan for whatever values is made for the
 * average account, whose few rows it might as well sort, and would sort those of the largest too.
 */
export const readInOrder = kept(sql`select set_config('enable_sort', 'off', true)`)

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

function isFoundAtOnce(foundBy: readonly (readonly string[])[], filter: unknown) {
  const asked = values.safeParse(filter)
  if (!asked.success) return false
  const fields = Object.keys(asked.data)
  return fields.length === 0 || foundBy.some((known) => fields.join() === known.join())
}

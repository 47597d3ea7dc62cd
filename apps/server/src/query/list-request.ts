import type { Collection } from '@portcullis/contract/collection'
import { listQueryString, pageSize, sort as sortSchema } from '@portcullis/contract/list-query'
import { fieldProblem } from '@portcullis/contract/errors/field-problem'
import { problem } from '@portcullis/contract/errors/problem'
import { z } from 'zod'
import { parseInput } from '../input/parse-input.ts'
import { parseJson } from '../input/parse-json.ts'
import { unusable } from '../errors/unusable.ts'
import { tableOf } from './columns.ts'

export type ListRequest = {
  filter: unknown
  sort: { prop: string; dir: 'asc' | 'desc' }
  page: number
  size: number
  search: string
  fields: readonly string[]
  after: string | undefined
}

/** The part of a request that selects items. */
export type ListSearch = Pick<ListRequest, 'filter' | 'search'>

/** Reads the query string of a list; objects travel as JSON text. */
export function readListRequest(collection: Collection, query: unknown): ListRequest {
  const input = parseInput(listQueryString, query)
  const sort =
    input.sort === undefined ? undefined : jsonOf({ parameter: 'sort', schema: sortSchema, text: input.sort })
  return {
    filter: filterOf(input.filter),
    sort: sortOf(collection, sort),
    page: input.page ?? 0,
    size: input.size ?? pageSize.initial,
    search: input.search?.trim() ?? '',
    fields: input.fields === undefined ? allFields(collection) : chosenFields(collection, input.fields),
    after: input.after,
  }
}

/** The requested sort order, by default the newest first; refuses fields that are not sortable. */
export function sortOf(collection: Collection, input: ListRequest['sort'] | undefined): ListRequest['sort'] {
  if (!input) return { prop: collection.newestBy, dir: 'desc' }
  if (!collection.queryable.includes(input.prop)) throw unusable('sort', problem('not_sortable', { field: input.prop }))
  return input
}

/** The filter of a query string, not yet checked. */
export function filterOf(text: string | undefined) {
  return text === undefined ? {} : parseJson(text, 'filter')
}

export function allFields(collection: Collection) {
  return [...tableOf(collection).columns.keys()]
}

function chosenFields(collection: Collection, text: string) {
  const chosen = jsonOf({ parameter: 'fields', schema: z.array(z.string()).max(100), text })
  const existing = allFields(collection)
  const unknown = chosen.find((field) => !existing.includes(field))
  if (unknown !== undefined)
    throw unusable('fields', problem('unknown_column', { field: unknown, collection: collection.name }))
  return [...new Set(['_id', ...chosen])]
}

type JsonText<S> = { parameter: string; schema: S; text: string }

export function jsonOf<S extends z.ZodType>({ parameter, schema, text }: JsonText<S>) {
  const parsed = schema.safeParse(parseJson(text, parameter), { reportInput: true })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw unusable(parameter, issue ? fieldProblem(issue) : problem('invalid'))
}

import { z } from 'zod'

export const pageSize = { initial: 20, most: 500 } as const

export const operators = ['eq', 'ne', 'in', 'nin', 'gt', 'gte', 'lt', 'lte', 'like', 'exists'] as const
export type Operator = (typeof operators)[number]

export const filterLimits = { depth: 8, valuesOfIn: 1_000, terms: 200, characters: 100_000 } as const

/** A filter as it is sent: `{field: value}`, `{field: {op: value}}`, `{and: []}`, `{or: []}`, `{not: {}}`. */
export type Filter = { [key: string]: unknown }

export const sort = z.strictObject({ prop: z.string(), dir: z.enum(['asc', 'desc']).default('desc') })
export type Sort = z.input<typeof sort>

/** The parameters of a list; objects are sent as JSON text. */
export type ListQuery = {
  filter?: Filter
  sort?: Sort
  page?: number
  size?: number
  search?: string
  fields?: readonly string[]
  after?: string
}

/**
 * A cursor holds the value that its list is sorted by. The longest values are addresses of 300 characters. Each
 * character takes up to six characters in JSON and eight in base64.
 */
const longestCursor = 3_000

/** The query string of a list, as text; the server parses the JSON in it and reports errors by parameter. */
export const listQueryString = z.strictObject({
  filter: z.string().max(filterLimits.characters).optional(),
  sort: z.string().max(200).optional(),
  page: fromDigits(z.int().min(0).max(1_000_000).optional()),
  size: fromDigits(z.int().min(1).max(pageSize.most).optional()),
  search: z.string().max(200).optional(),
  fields: z.string().max(2_000).optional(),
  after: z.string().max(longestCursor).optional(),
})

/** A whole number in a query string: digits only. */
export function fromDigits<N extends z.ZodType<number | undefined>>(number: N) {
  return z.preprocess((text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text), number)
}

export const pageInfo = z.object({
  size: z.int(),
  totalElements: z.int(),
  totalPages: z.int(),
  pageNumber: z.int(),
  /** False if the total is only a lower bound, because counting further would cost too much. */
  totalExact: z.boolean().optional(),
})

export function pageOf<S extends z.ZodType>(item: S) {
  return z.object({ items: z.array(item), page: pageInfo, next: z.string().nullable() })
}

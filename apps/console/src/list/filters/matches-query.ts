import type { Collection } from '@portcullis/contract/collection'
import type { Filter, ListQuery } from '@portcullis/contract/list-query'
import { z } from 'zod'
import { part, partAt } from '../../item/item-parts.ts'

/**
 * Whether an item that has just arrived belongs to a list: the server's filter and search, evaluated here. Where that is
 * not possible it returns false, and the next answer of the server shows the item all the same.
 */
export function matchesQuery(of: Pick<Collection, 'searchable'>, item: unknown, query: ListQuery): boolean {
  return matchesFilter(item, query.filter ?? {}) && matchesSearch(of, item, query.search ?? '')
}

function matchesSearch({ searchable }: Pick<Collection, 'searchable'>, item: unknown, search: string) {
  return search === '' || searchable.some((field) => isLike(part(item, field), search))
}

const record = z.record(z.string(), z.unknown())
const filters = z.array(record)

function matchesFilter(item: unknown, filter: Filter): boolean {
  return Object.entries(filter).every(([key, value]) => {
    switch (key) {
      case 'and':
        return filters.safeParse(value).data?.every((each) => matchesFilter(item, each)) ?? false
      case 'or':
        return filters.safeParse(value).data?.some((each) => matchesFilter(item, each)) ?? false
      case 'not': {
        const inner = record.safeParse(value)
        return inner.success && !matchesFilter(item, inner.data)
      }
      default: {
        const comparisons = record.safeParse(value).data ?? { eq: value }
        return Object.entries(comparisons).every(([op, operand]) =>
          compares(partAt(item, key) ?? null, { op, operand }),
        )
      }
    }
  })
}

function compares(value: unknown, { op, operand }: { op: string; operand: unknown }): boolean {
  const among = () => z.array(z.unknown()).safeParse(operand).data?.includes(value) ?? false
  switch (op) {
    case 'eq':
      return value === operand
    case 'ne':
      return value !== operand
    case 'in':
      return among()
    case 'nin':
      return !among()
    case 'exists':
      return (value !== null) === operand
    case 'like':
      return typeof operand === 'string' && isLike(value, operand)
    case 'gt':
      return isOrdered(operand, value)
    case 'gte':
      return value === operand || isOrdered(operand, value)
    case 'lt':
      return isOrdered(value, operand)
    case 'lte':
      return value === operand || isOrdered(value, operand)
    default:
      return false
  }
}

function isLike(value: unknown, piece: string) {
  return typeof value === 'string' && value.toLowerCase().includes(piece.toLowerCase())
}

/** Times are ISO texts of one form, so the earlier one is the lesser text. */
function isOrdered(lesser: unknown, greater: unknown) {
  if (typeof lesser === 'number' && typeof greater === 'number') return lesser < greater
  return typeof lesser === 'string' && typeof greater === 'string' && lesser < greater
}

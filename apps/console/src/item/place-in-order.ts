import type { Sort } from '@portcullis/contract/list-query'
import { idOf, partAt } from './item-parts.ts'

/** The place of an item in the server's order: items without a value come last, equal ones are sorted by id. */
export function placeInOrder(
  items: readonly unknown[],
  { item, sort }: { item: unknown; sort: Required<Sort> },
): number {
  const index = items.findIndex((other) => comesBefore(item, other, sort))
  return index === -1 ? items.length : index
}

/** Whether a changed item is still in order between its neighbours. */
export function isInPlace(items: readonly unknown[], { item, sort }: { item: unknown; sort: Required<Sort> }): boolean {
  const index = items.findIndex((other) => idOf(other) === idOf(item))
  const [before, after] = [items[index - 1], items[index + 1]]
  const isAfter = before === undefined || !comesBefore(item, before, sort)
  return isAfter && (after === undefined || !comesBefore(after, item, sort))
}

function comesBefore(item: unknown, other: unknown, { prop, dir }: Required<Sort>) {
  const [a, b] = [partAt(item, prop) ?? null, partAt(other, prop) ?? null]
  if (a === null || b === null) {
    if (a !== b) return b === null
    return isOrdered({ a: idOf(item), b: idOf(other), dir })
  }
  return a === b ? isOrdered({ a: idOf(item), b: idOf(other), dir }) : isOrdered({ a, b, dir })
}

function isOrdered({ a, b, dir }: { a: unknown; b: unknown; dir: 'asc' | 'desc' }) {
  return dir === 'asc' ? isLess(a, b) : isLess(b, a)
}

function isLess(a: unknown, b: unknown) {
  if (typeof a === 'string' && typeof b === 'string') return a < b
  if (typeof a === 'number' && typeof b === 'number') return a < b
  return a === false && b === true
}

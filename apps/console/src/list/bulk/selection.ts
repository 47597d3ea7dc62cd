import { idOf } from '../../item/item-parts.ts'

/** The selected items by their ids, in the order of selection; they may be on several pages. */
export type Selected<T> = ReadonlyMap<string, T>

/** A browser changes at most this many one by one. */
export const maxSelected = 1_000

/** One more or one less; as a range, everything from the previously selected row to this one. */
export function withToggled<T>(
  selected: Selected<T>,
  { items, item, anchor }: { items: readonly T[]; item: T; anchor?: string | undefined },
): Selected<T> {
  const [from, to] = [items.findIndex((each) => idOf(each) === anchor), items.indexOf(item)]
  if (from !== -1 && to !== -1) return withAll(selected, items.slice(Math.min(from, to), Math.max(from, to) + 1))
  if (selected.has(idOf(item))) return withoutAll(selected, [item])
  return withAll(selected, [item])
}

/** Adds the items, as far as there is room. */
export function withAll<T>(selected: Selected<T>, items: readonly T[]): Selected<T> {
  return new Map([...selected, ...items.map((item) => [idOf(item), item] as const)].slice(0, maxSelected))
}

export function withoutAll<T>(selected: Selected<T>, items: readonly T[]): Selected<T> {
  const ids = new Set(items.map(idOf))
  return new Map([...selected].filter(([id]) => !ids.has(id)))
}

/** How much of a page is selected. */
export function chosenOf<T>(selected: Selected<T>, items: readonly T[]): 'none' | 'some' | 'all' {
  const chosen = items.filter((item) => selected.has(idOf(item))).length
  if (chosen === 0) return 'none'
  return chosen === items.length ? 'all' : 'some'
}

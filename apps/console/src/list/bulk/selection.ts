import { idOf } from '../../item/item-parts.ts'

/** The chosen items by their ids, in the order in which they were chosen; they may lie on several pages. */
export type Selected<T> = ReadonlyMap<string, T>

/** More than this are not changed one by one in a browser. */
export const mostSelected = 1_000

/** One more or one less; as a range, everything from the one chosen last up to this one. */
export function withToggled<T>(
  selected: Selected<T>,
  { items, item, anchor }: { items: readonly T[]; item: T; anchor?: string | undefined },
): Selected<T> {
  const [from, to] = [items.findIndex((each) => idOf(each) === anchor), items.indexOf(item)]
  if (from !== -1 && to !== -1) return withAll(selected, items.slice(Math.min(from, to), Math.max(from, to) + 1))
  if (selected.has(idOf(item))) return withoutAll(selected, [item])
  return withAll(selected, [item])
}

/** The items too, as far as there is room. */
export function withAll<T>(selected: Selected<T>, items: readonly T[]): Selected<T> {
  return new Map([...selected, ...items.map((item) => [idOf(item), item] as const)].slice(0, mostSelected))
}

export function withoutAll<T>(selected: Selected<T>, items: readonly T[]): Selected<T> {
  const ids = new Set(items.map(idOf))
  return new Map([...selected].filter(([id]) => !ids.has(id)))
}

/** How much of a page is chosen. */
export function chosenOf<T>(selected: Selected<T>, items: readonly T[]): 'none' | 'some' | 'all' {
  const chosen = items.filter((item) => selected.has(idOf(item))).length
  if (chosen === 0) return 'none'
  return chosen === items.length ? 'all' : 'some'
}

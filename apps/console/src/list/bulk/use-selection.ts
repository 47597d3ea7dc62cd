import { useState } from 'react'
import { idOf } from '../../item/item-parts.ts'
import { chosenOf, type Selected, withAll, withoutAll, withToggled } from './selection.ts'

export type Selection<T> = ReturnType<ReturnType<typeof useSelection<T>>['over']>

/** The selected rows of a list. A list with another query (`of` changes) starts with none. */
export function useSelection<T>(of: string) {
  const [state, setState] = useState<{ of: string; selected: Selected<T>; anchor?: string }>({
    of,
    selected: new Map(),
  })
  if (state.of !== of) setState({ of, selected: new Map() })
  const { selected, anchor } = state

  function set(next: Selected<T>) {
    setState({ of, selected: next })
  }

  /** The selection among the visible rows. */
  function over(rows: readonly T[]) {
    return {
      selected,
      chosen: chosenOf(selected, rows),
      isSelected: (item: T) => selected.has(idOf(item)),
      /** The current values of the selected rows, as far as they are visible. */
      latest: () => [...selected].map(([id, item]) => rows.find((row) => idOf(row) === id) ?? item),
      toggle(item: T, { isRange }: { isRange: boolean }) {
        const next = withToggled(selected, { items: rows, item, anchor: isRange ? anchor : undefined })
        setState({ of, selected: next, anchor: idOf(item) })
      },
      togglePage: () => set(chosenOf(selected, rows) === 'all' ? withoutAll(selected, rows) : withAll(selected, rows)),
      add: (items: readonly T[]) => set(withAll(selected, items)),
      keepOnly: (items: readonly T[]) => set(withAll(new Map(), items)),
      clear: () => set(new Map()),
    }
  }

  return { size: selected.size, over }
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ListPlace, type ListState, readListState, writeListState } from './list-state.ts'

/** The state of a list, read from the address and written back to it; typing in the search replaces, the rest can be gone back from. */
export function useListState(place: ListPlace) {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()

  function change(changes: Partial<ListState>) {
    void navigate({
      to: '.',
      search: (current: Record<string, string | undefined>) => writeListState({ search: current, place, changes }),
      replace: changes.search !== undefined,
      resetScroll: false,
    })
  }

  return [readListState(search, place), change] as const
}

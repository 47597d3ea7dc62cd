import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { type ListChanges, type ListPlace, readListState, type Search, writeListState } from './list-state.ts'

/**
 * The state of a list, read from the address and written back to it. Typing in the search and choosing columns replace what
 * stands there, the rest can be gone back from; another page begins at its top.
 */
export function useListState(place: ListPlace) {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()

  const go = useCallback(
    (next: (current: Search) => Search, { isReplacing = false, isToTop = false } = {}) => {
      void navigate({ to: '.', search: next, replace: isReplacing, resetScroll: isToTop })
    },
    [navigate],
  )

  function change(changes: ListChanges) {
    go((current) => writeListState({ search: current, place, changes }), {
      isReplacing: changes.search !== undefined || changes.columns !== undefined,
      isToTop: changes.page !== undefined,
    })
  }

  return { state: readListState(search, place), change, search, go }
}

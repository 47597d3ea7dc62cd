import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type ListChanges, type ListPlace, readListState, type Search, writeListState } from './list-state.ts'

type How = { isReplacing?: boolean; isToTop?: boolean }

/**
 * The state of a list, read from the address and written back to it. Typing in the search and selecting columns replace the
 * current entry of the history, other changes add one; another page begins at its top.
 */
export function useListState(place: ListPlace) {
  const address: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  // The router needs a moment to follow; two quick presses in that moment both count.
  const [ahead, setAhead] = useState({ of: address, search: address })
  const search = ahead.of === address ? ahead.search : address

  function go(next: (current: Search) => Search, { isReplacing = false, isToTop = false }: How = {}) {
    setAhead({ of: address, search: next(search) })
    void navigate({ to: '.', search: next, replace: isReplacing, resetScroll: isToTop })
  }

  function change(changes: ListChanges) {
    go((current) => writeListState({ search: current, place, changes }), {
      isReplacing: changes.search !== undefined || changes.columns !== undefined,
      isToTop: changes.page !== undefined,
    })
  }

  return { state: readListState(search, place), change, search, go }
}

import type { Collection } from '@portcullis/contract/collection'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { type ListPlace, type ListState, writeListState } from '../state/list-state.ts'
import { isInitial, shownColumns } from './shown-columns.ts'
import type { useListState } from '../state/use-list-state.ts'
import { useRememberColumns, useSavedViews } from './use-saved-views.ts'

type Shape = { key: string; phone?: string; isExtra?: boolean }

type UseShownColumnsInput<T> = {
  of: Collection
  list: string
  columns: readonly T[]
  place: ListPlace
  state: ListState
  go: ReturnType<typeof useListState>['go']
}

/**
 * The columns that a list shows: those in the address; else those that the user last used, which are then written
 * into the address, so that it can be sent to another user; else the list's own.
 */
export function useShownColumns<T extends Shape>({ of, list, columns, place, state, go }: UseShownColumnsInput<T>) {
  const { columns: remembered } = useSavedViews(of, list)
  const remember = useRememberColumns(list)
  const router = useRouter()
  const usedKeys = remembered?.filter((key) => place.columnKeys.includes(key))
  const usedColumns = usedKeys && usedKeys.length > 0 && !isInitial(columns, usedKeys) ? usedKeys.join(',') : undefined
  const keys = state.columns?.join(',') ?? usedColumns
  const shown = useMemo(() => shownColumns(columns, keys?.split(',')), [columns, keys])

  const name = useEffectEvent((keys: string) => {
    // A user on the way to another screen is not delayed.
    if (router.state.status !== 'idle') return
    go((current) => writeListState({ search: current, place, changes: { columns: keys.split(',') } }), {
      isReplacing: true,
    })
  })
  useEffect(() => {
    if (usedColumns !== undefined && state.columns === undefined) name(usedColumns)
  }, [usedColumns, state.columns])

  function choose(keys: readonly string[] | null) {
    const chosen = keys && !isInitial(columns, keys) ? keys : null
    remember(chosen)
    go((current) => writeListState({ search: current, place, changes: { columns: chosen } }), { isReplacing: true })
  }

  return { shown, choose }
}

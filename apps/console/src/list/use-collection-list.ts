import type { Collection, EntityOf } from '@portcullis/contract/collection'
import type { Filter, Sort } from '@portcullis/contract/list-query'
import { useMemo } from 'react'
import { fieldLabel } from '../text/field-label.ts'
import { useMinute } from '../time/use-minute.ts'
import { commonColumns, commonFilters } from './common-columns.tsx'
import type { Column } from './data-table.tsx'
import { filterOf, type ListFilter } from './filters/filters.ts'
import { listQueryOf, type ListPlace, withoutDropped } from './state/list-state.ts'
import { useIsScrolled } from '../ui/use-is-scrolled.ts'
import { useListState } from './state/use-list-state.ts'
import { useLiveList } from './use-live-list.ts'
import { useSelection } from './bulk/use-selection.ts'
import { useShownColumns } from './views/use-shown-columns.ts'

type UseCollectionListInput<C extends Collection> = {
  of: C
  columns: readonly Column<EntityOf<C>>[]
  filters?: readonly ListFilter[]
  within?: Filter
  sort?: Required<Sort>
  size?: number
  prefix?: string
  list?: string
}

export type CollectionList<C extends Collection> = ReturnType<typeof useCollectionList<C>>

/** All of a list but its appearance: the query in the URL, the current rows, the selection, and the allowed changes. */
export function useCollectionList<C extends Collection>(input: UseCollectionListInput<C>) {
  const { of, within, sort, size = 20, prefix = '', list = of.name } = input
  const columns = useMemo(
    () => [
      ...input.columns.map((column) => ({ ...column, label: column.label ?? fieldLabel(of.name, column.key) })),
      ...commonColumns(of),
    ],
    [input.columns, of],
  )
  const filters = [...(input.filters ?? []), ...commonFilters(of)]
  const columnKeys = columns.map(({ key }) => key)
  const place: ListPlace = { prefix, filters, sortable: of.queryable, columnKeys, sort, size }
  const { state, change, search, go } = useListState(place)
  const query = listQueryOf(state, [within, filterOf(filters, state.filters, useMinute())])
  const { shown, choose } = useShownColumns({ of, list, columns, place, state, go })

  const narrowedTo = JSON.stringify([state.search, state.filters, within])
  const choice = useSelection<EntityOf<C>>(narrowedTo)
  const live = useLiveList({
    of,
    query,
    stableKey: JSON.stringify([narrowedTo, state.sort, state.page, state.size]),
    isHeld: useIsScrolled() || choice.size > 0,
  })
  const total = live.list.data?.page.totalElements
  const isNarrowed = state.search !== '' || Object.keys(state.filters).length > 0

  return {
    of,
    list,
    place,
    search,
    query,
    state,
    change,
    columns,
    filters,
    shown,
    choose,
    live,
    total,
    isNarrowed,
    /** The list is empty without filters. */
    isBare: total === 0 && !isNarrowed,
    selection: choice.over(live.rows),
    /** Removes invalid parameters from the address. */
    forget: () => go((current) => withoutDropped(current, place, state.dropped), { isReplacing: true }),
    /** Shows the rows that were added or moved while the list was held. */
    showNew() {
      live.release()
      window.scrollTo({ top: 0 })
      if (!live.isNewHere) change({ page: 0, sort: { prop: of.readOnly ? of.newestBy : 'createdAt', dir: 'desc' } })
    },
  }
}

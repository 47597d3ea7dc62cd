import type { Collection, EntityOf } from '@portcullis/contract/collection'
import type { ReactNode } from 'react'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { type LabelledColumn, DataTable } from './data-table.tsx'
import { ListRows } from './list-rows.tsx'
import { SkeletonTable } from './skeleton-table.tsx'
import { TablePanel } from './table-panel.tsx'
import type { CollectionList } from './use-collection-list.ts'

type Props<C extends Collection> = {
  list: CollectionList<C>
  label: string
  columns: readonly LabelledColumn<EntityOf<C>>[]
  hasSelection: boolean
  empty: { title: string; hint?: string; action?: ReactNode }
  onOpen: ((item: EntityOf<C>) => void) | undefined
  openId: string | undefined
  rowName: ((item: EntityOf<C>) => string) | undefined
}

/** The rows of a list in their panel, or a state instead of them. */
export function ListPanel<C extends Collection>({ list, columns, hasSelection, empty, ...table }: Props<C>) {
  const { live, state, change, total = 0, isNarrowed, selection } = list
  const { isFetching, isPlaceholderData } = live.list
  const isNarrow = useIsNarrow()

  return (
    <TablePanel columns={columns} hasSelection={hasSelection} isFetching={isFetching} isStale={isPlaceholderData}>
      {(minWidth) => (
        <ListRows
          list={live.list}
          empty={empty}
          skeleton={isNarrow ? <SkeletonRows /> : <SkeletonTable columns={columns} hasSelection={hasSelection} />}
          isNarrowed={isNarrowed}
          onClear={() => change({ search: '', filters: {} })}
          onFirstPage={() => change({ page: 0 })}
        >
          <DataTable
            {...table}
            items={live.rows}
            columns={columns}
            minWidth={minWidth}
            total={total}
            firstAt={state.page * state.size}
            sort={state.sort}
            onSort={isNarrow ? undefined : (sort) => change({ sort })}
            arrivalOf={(item) => (live.isNew(item) ? 'slides' : undefined)}
            isGone={live.isGone}
            selection={hasSelection ? selection : undefined}
          />
        </ListRows>
      )}
    </TablePanel>
  )
}

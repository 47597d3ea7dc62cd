import { useElementSize } from '@mantine/hooks'
import type { Collection, EntityOf } from '@portcullis/contract/collection'
import type { ReactNode } from 'react'
import { type LabelledColumn, DataTable } from './data-table.tsx'
import styles from './list-panel.module.css'
import { ListRows } from './list-rows.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { SkeletonTable } from './skeleton-table.tsx'
import { tableWidth } from './table-width.ts'
import type { CollectionList } from './use-collection-list.ts'
import { useIsNarrow } from '../ui/use-is-narrow.ts'

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

/** The rows of a list, in a panel that is scrolled sideways where more columns are chosen than there is room for. */
export function ListPanel<C extends Collection>({ list, columns, hasSelection, empty, ...table }: Props<C>) {
  const { live, state, change, total = 0, isNarrowed, selection } = list
  const { isFetching, isPlaceholderData } = live.list
  const { ref, width } = useElementSize()
  const isNarrow = useIsNarrow()
  const neededPx = tableWidth(columns, { hasSelection })
  const isWide = !isNarrow && width > 0 && neededPx > width

  return (
    <div
      ref={ref}
      className={styles.panel}
      aria-busy={isFetching}
      data-stale={isPlaceholderData ? '' : undefined}
      data-wide={isWide ? '' : undefined}
    >
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
          minWidth={isWide ? neededPx : undefined}
          total={total}
          firstAt={state.page * state.size}
          sort={state.sort}
          onSort={isNarrow ? undefined : (sort) => change({ sort })}
          isNew={live.isNew}
          isGone={live.isGone}
          selection={hasSelection ? selection : undefined}
        />
      </ListRows>
    </div>
  )
}

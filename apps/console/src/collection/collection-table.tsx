import type { Collection, EntityOf } from '@portcullis/contract/collection'
import type { Filter, Sort } from '@portcullis/contract/list-query'
import { useElementSize } from '@mantine/hooks'
import { type ReactNode, useMemo } from 'react'
import { useMinute } from '../parts/use-minute.ts'
import { isForbidden } from '../session/refusals.ts'
import { text } from '../text/text.ts'
import type { BulkAction } from './bulk-action.ts'
import { BulkBar } from './bulk-bar.tsx'
import styles from './collection-table.module.css'
import { commonColumns, commonFilters } from './common-columns.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { droppedNames } from './dropped-names.ts'
import { exportColumns } from './export-columns.ts'
import { ExportMenu } from './export-menu.tsx'
import { filterOf, type ListFilter } from './filters.ts'
import { idOf, nameOf } from './item-parts.ts'
import { ErrorNotice } from './list-notice.tsx'
import { DroppedBar, StaleBar } from './list-bars.tsx'
import { ListHead } from './list-head.tsx'
import { ListPager } from './list-pager.tsx'
import { ListRows } from './list-rows.tsx'
import { listQueryOf, type ListPlace, withoutDropped } from './list-state.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { shownColumns } from './shown-columns.ts'
import { SkeletonRows } from './skeleton-rows.tsx'
import { SkeletonTable } from './skeleton-table.tsx'
import { tableWidth } from './table-width.ts'
import { useIsNarrow } from './use-is-narrow.ts'
import { useIsScrolled } from './use-is-scrolled.ts'
import { useListState } from './use-list-state.ts'
import { useLiveList } from './use-live-list.ts'
import { useSelection } from './use-selection.ts'
import { useShownColumns } from './use-shown-columns.ts'

type Props<C extends Collection> = {
  of: C
  /** What the list is called: for its search box, its files and those who can't see it. */
  label: string
  columns: readonly Column<EntityOf<C>>[]
  filters?: readonly ListFilter[]
  /** A filter that nobody can take away: the doors of one site. */
  within?: Filter
  sort?: Required<Sort>
  size?: number
  /** Keeps a second list on the same page apart in the address. */
  prefix?: string
  /** Under which views and columns are kept, where a collection has several lists: `doors.site`. */
  list?: string
  /** What can be done with selected rows; without any, rows can't be selected. */
  bulk?: readonly BulkAction<EntityOf<C>>[]
  onOpen?: (item: EntityOf<C>) => void
  openId?: string | undefined
  rowName?: (item: EntityOf<C>) => string
  empty: { title: string; hint?: string; action?: ReactNode }
  toolbar?: ReactNode
}

/**
 * A list of a collection: columns, search, filters, sort and pages, all in the address; live; views, files and what is done with
 * many rows; skeletons while loading, an empty state with the next step, an error with Retry; cards on telephones.
 *
 *   const columns: Column<EntityOf<typeof sites>>[] = [{ key: 'name', label: text('sites.name'), sort: 'name', phone: 'title', cell: (site) => site.name }]
 *   <CollectionTable of={sites} label={text('sites.title')} columns={columns} sort={{ prop: 'name', dir: 'asc' }} onOpen={(site) => open(site._id)} empty={{ title: … }} />
 */
export function CollectionTable<C extends Collection>(props: Props<C>) {
  const { of, label, within, sort, size = 20, prefix = '', list = of.name, bulk = [], empty, rowName } = props
  const columns = useMemo(() => [...props.columns, ...commonColumns(of)], [props.columns, of])
  const filters = [...(props.filters ?? []), ...commonFilters(of)]
  const columnKeys = columns.map(({ key }) => key)
  const place: ListPlace = { prefix, filters, sortable: of.queryable, columnKeys, sort, size }
  const { state, change, search, go } = useListState(place)
  const query = listQueryOf(state, [within, filterOf(filters, state.filters, useMinute())])
  const { shown, choose } = useShownColumns({ of, list, columns, place, state, go })

  const narrowedTo = JSON.stringify([state.search, state.filters, within])
  const choice = useSelection<EntityOf<C>>(narrowedTo)
  const isHeld = useIsScrolled() || choice.size > 0
  const asked = JSON.stringify([narrowedTo, state.sort, state.page, state.size])
  const live = useLiveList({ of, query, asked, isHeld })
  const { data, isFetching, isPlaceholderData, isError, error, fetchStatus, refetch } = live.list

  const { ref: panel, width: panelPx } = useElementSize()
  const total = data?.page.totalElements
  const isNarrowed = state.search !== '' || Object.keys(state.filters).length > 0
  const isBare = total === 0 && !isNarrowed
  const selection = bulk.length > 0 ? choice.over(live.rows) : undefined
  const isNarrow = useIsNarrow()
  const drawn = useMemo(() => (isNarrow ? shownColumns(columns, undefined) : shown), [isNarrow, columns, shown])
  const fileColumns = exportColumns(of, shown)

  const neededPx = tableWidth(drawn, { hasSelection: selection !== undefined })
  const isWide = !isNarrow && panelPx > 0 && neededPx > panelPx
  const sorting = columns.find((column) => column.sort === state.sort?.prop)
  const hiddenOrder = sorting !== undefined &&
    sort !== undefined &&
    !drawn.includes(sorting) && {
      label: text(state.sort?.dir === 'asc' ? 'list.ascending' : 'list.descending', { name: sorting.label }),
      onClear: () => change({ sort }),
    }

  function showNew() {
    live.release()
    window.scrollTo({ top: 0 })
    if (!live.isNewHere) change({ page: 0, sort: { prop: of.readOnly ? of.newestBy : 'createdAt', dir: 'desc' } })
  }

  if (error && isForbidden(error)) {
    return (
      <div className={styles.panel}>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  return (
    <div>
      <ListHead
        {...{ of, label, list, place, search, query, columns, shown, choose, fileColumns, total: total ?? 0, isBare }}
        live={{ isHeld: live.isHeld, newCount: live.newCount, onShow: showNew }}
      />
      {!isBare && (
        <ListToolbar
          label={label}
          state={state}
          filters={filters}
          hasSearch={of.searchable.length > 0}
          orders={columns.flatMap(({ sort: prop, label: name }) => (prop ? [{ prop, label: name }] : []))}
          total={total}
          hiddenOrder={hiddenOrder || undefined}
          onChange={change}
        >
          {props.toolbar}
        </ListToolbar>
      )}
      {state.dropped.length > 0 && (
        <DroppedBar
          names={droppedNames(state.dropped, filters)}
          onForget={() => go((current) => withoutDropped(current, place, state.dropped), { isReplacing: true })}
        />
      )}
      {data !== undefined && (isError || fetchStatus === 'paused') && (
        <StaleBar error={error} onRetry={() => void refetch()} />
      )}
      <div
        ref={panel}
        className={styles.panel}
        aria-busy={isFetching}
        data-stale={isPlaceholderData ? '' : undefined}
        data-wide={isWide ? '' : undefined}
      >
        <ListRows
          list={live.list}
          empty={empty}
          skeleton={isNarrow ? <SkeletonRows /> : <SkeletonTable columns={drawn} hasSelection={bulk.length > 0} />}
          isNarrowed={isNarrowed}
          onClear={() => change({ search: '', filters: {} })}
          onFirstPage={() => change({ page: 0 })}
        >
          <DataTable
            label={label}
            items={live.rows}
            columns={drawn}
            minWidth={isWide ? neededPx : undefined}
            total={total ?? 0}
            firstAt={state.page * state.size}
            sort={state.sort}
            onSort={isNarrow ? undefined : (next) => change({ sort: next })}
            onOpen={props.onOpen}
            openId={props.openId}
            isNew={live.isNew}
            isGone={live.isGone}
            selection={selection}
            rowName={rowName}
          />
        </ListRows>
      </div>
      {data && !isBare && <ListPager page={data.page} onChange={change} />}
      {selection && choice.size > 0 && (
        <BulkBar
          of={of}
          query={query}
          total={total ?? 0}
          selection={selection}
          actions={bulk}
          nameOf={(item) => rowName?.(item) ?? nameOf(item) ?? idOf(item)}
        >
          <ExportMenu
            of={of}
            label={label}
            query={{ ...query, search: '', filter: { _id: { in: [...selection.selected.keys()] } } }}
            columns={fileColumns}
            total={selection.selected.size}
            words={text('list.exportSelected')}
          />
        </BulkBar>
      )}
    </div>
  )
}

import type { Collection, EntityOf } from '@portcullis/contract/collection'
import type { Filter, ListQuery, Sort } from '@portcullis/contract/list-query'
import { type ReactNode, useMemo } from 'react'
import { isForbidden } from '../session/refusals.ts'
import { text } from '../text/text.ts'
import type { SelectionAction } from './bulk/bulk-action.ts'
import { BulkBar } from './bulk/bulk-bar.tsx'
import type { Column } from './data-table.tsx'
import { droppedNames } from './filters/dropped-names.ts'
import { exportColumns } from './export/export-columns.ts'
import { ExportMenu } from './export/export-menu.tsx'
import type { ListFilter } from './filters/filters.ts'
import { idOf, nameOf } from '../item/item-parts.ts'
import { DroppedBar, StaleListBar } from './list-bars.tsx'
import { ListHead } from './list-head.tsx'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { ListPager } from './list-pager.tsx'
import { ListPanel } from './list-panel.tsx'
import styles from './list-panel.module.css'
import { ListToolbar } from './list-toolbar.tsx'
import { shownColumns } from './views/shown-columns.ts'
import { useCollectionList } from './use-collection-list.ts'
import { useIsNarrow } from '../ui/use-is-narrow.ts'

type Props<C extends Collection> = {
  of: C
  /** The name of the list: for its search box, its exports and screen readers. */
  label: string
  columns: readonly Column<EntityOf<C>>[]
  filters?: readonly ListFilter[]
  /** A filter that users cannot remove: the doors of one site. */
  within?: Filter
  sort?: Required<Sort>
  size?: number
  /** Separates a second list on the same page in the address. */
  prefix?: string
  /** The name under which views and columns are stored, where a collection has several lists: `doors.site`. */
  list?: string
  /** The actions on selected rows; without any, rows cannot be selected. */
  bulk?: readonly SelectionAction<EntityOf<C>>[]
  onOpen?: (item: EntityOf<C>) => void
  openId?: string | undefined
  rowName?: (item: EntityOf<C>) => string
  empty: { title: string; hint?: string; action?: ReactNode }
  toolbar?: ReactNode
  /** Further buttons in the head of the list, for the rows that its query finds. */
  actions?: (query: ListQuery) => ReactNode
}

/**
 * A list of a collection: columns, search, filters, sort and pages, all in the address; live; views, exports and actions on
 * many rows; skeletons while loading, an empty state with the next step, an error with Retry; cards on phones.
 *
 *   const columns: Column<EntityOf<typeof sites>>[] = [{ key: 'name', sort: 'name', phone: 'title', cell: (site) => site.name }]
 *   <CollectionTable of={sites} label={text('sites.title')} columns={columns} sort={{ prop: 'name', dir: 'asc' }} onOpen={(site) => open(site._id)} empty={{ title: … }} />
 */
export function CollectionTable<C extends Collection>(props: Props<C>) {
  const { of, label, sort, bulk = [], empty, rowName, onOpen, openId } = props
  const list = useCollectionList(props)
  const { state, change, columns, shown, filters, live, query, total, isBare, selection } = list
  const { data, error, refetch } = live.list
  const isNarrow = useIsNarrow()
  // Cards show the parts that their screen configured, not the selected columns of the table.
  const drawn = useMemo(() => (isNarrow ? shownColumns(columns, undefined) : shown), [isNarrow, columns, shown])
  const order = hiddenOrder({ columns, shown: drawn, sort: state.sort })
  const fileColumns = exportColumns(of, shown)

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
        {...list}
        label={label}
        fileColumns={fileColumns}
        total={total ?? 0}
        actions={props.actions?.(query)}
        live={{ isHeld: live.isHeld, newCount: live.newCount, onShow: list.showNew }}
      />
      {!isBare && toolbar()}
      {state.dropped.length > 0 && <DroppedBar names={droppedNames(state.dropped, filters)} onForget={list.forget} />}
      <StaleListBar list={live.list} />
      <ListPanel
        list={list}
        label={label}
        columns={drawn}
        hasSelection={bulk.length > 0}
        empty={empty}
        onOpen={onOpen}
        openId={openId}
        rowName={rowName}
      />
      {data && !isBare && <ListPager page={data.page} onChange={change} />}
      {selectedBar()}
    </div>
  )

  function selectedBar() {
    if (bulk.length === 0 || selection.selected.size === 0) return undefined
    return (
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
    )
  }

  function toolbar() {
    return (
      <ListToolbar
        label={label}
        state={state}
        filters={filters}
        hasSearch={of.searchable.length > 0}
        orders={columns.flatMap(({ sort: prop, label: name }) => (prop ? [{ prop, label: name }] : []))}
        total={total}
        hiddenOrder={order !== undefined && sort ? { label: order, onClear: () => change({ sort }) } : undefined}
        onChange={change}
      >
        {props.toolbar}
      </ListToolbar>
    )
  }
}

type SortedColumn = { key: string; label: string; sort?: string }
type OrderInput = { columns: readonly SortedColumn[]; shown: readonly SortedColumn[]; sort: Required<Sort> | undefined }

/** The order of a list in words, where none of its visible columns shows it. */
function hiddenOrder({ columns, shown, sort }: OrderInput): string | undefined {
  const sorting = columns.find((column) => column.sort !== undefined && column.sort === sort?.prop)
  if (sorting === undefined || shown.some(({ key }) => key === sorting.key)) return undefined
  return text(sort?.dir === 'asc' ? 'list.ascending' : 'list.descending', { name: sorting.label })
}

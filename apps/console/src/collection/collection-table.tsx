import { Button, Skeleton } from '@mantine/core'
import type { Collection, EntityOf } from '@portcullis/contract/collection'
import type { Filter, Sort } from '@portcullis/contract/list-query'
import type { ReactNode } from 'react'
import { isForbidden } from '../session/refusals.ts'
import { text } from '../text/text.ts'
import styles from './collection-table.module.css'
import { type Column, DataTable, type Selection } from './data-table.tsx'
import { filterOf, type ListFilter } from './filters.ts'
import { EmptyNotice, ErrorNotice } from './list-notice.tsx'
import { ListPager } from './list-pager.tsx'
import { listQueryOf, type ListPlace } from './list-state.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { useList } from './use-list.ts'
import { useListState } from './use-list-state.ts'
import { useLive } from './use-live.ts'

type Props<C extends Collection> = {
  of: C
  /** What the list is called: for its search box and for those who can't see it. */
  label: string
  columns: readonly Column<EntityOf<C>>[]
  filters?: readonly ListFilter[]
  /** A filter that nobody can take away: the doors of one site. */
  within?: Filter
  sort?: Required<Sort>
  size?: number
  /** Keeps a second list on the same page apart in the address. */
  prefix?: string
  onOpen?: (item: EntityOf<C>) => void
  openId?: string | undefined
  rowName?: (item: EntityOf<C>) => string
  isNew?: (item: EntityOf<C>) => boolean
  selection?: Selection
  empty: { title: string; hint?: string; action?: ReactNode }
  toolbar?: ReactNode
  search?: 'yes' | 'no'
}

const noFilters: readonly ListFilter[] = []

/**
 * A list of a collection: columns, search, filters, sort and pages, all in the address; live; skeletons while loading, an empty state
 * with the next step, an error with Retry; cards on telephones.
 *
 *   const columns: Column<EntityOf<typeof sites>>[] = [{ key: 'name', label: text('sites.name'), sort: 'name', phone: 'title', cell: (site) => site.name }]
 *   <CollectionTable of={sites} label={text('sites.title')} columns={columns} sort={{ prop: 'name', dir: 'asc' }} onOpen={(site) => open(site._id)} empty={{ title: … }} />
 */
export function CollectionTable<C extends Collection>(props: Props<C>) {
  const { of, label, columns, filters = noFilters, within, sort, size = 20, prefix = '', empty, selection } = props
  const place: ListPlace = { prefix, size, sort, filterNames: filters.map(({ name }) => name) }
  const [state, change] = useListState(place)
  const list = useList(of, listQueryOf(state, [within, filterOf(filters, state.filters)]))
  useLive(of)

  const isNarrowed = state.search !== '' || Object.keys(state.filters).length > 0
  const isBare = list.data?.page.totalElements === 0 && !isNarrowed
  const isShut = isForbidden(list.error)
  const hasSearch = (props.search ?? 'yes') === 'yes' && of.searchable.length > 0

  function rows() {
    if (list.data === undefined) {
      return list.isError ? <ErrorNotice error={list.error} onRetry={() => void list.refetch()} /> : <SkeletonRows />
    }
    if (list.data.items.length === 0) {
      if (list.data.page.totalElements > 0) return <PastTheEnd onBack={() => change({ page: 0 })} />
      if (!isNarrowed) return <EmptyNotice {...empty} />
      return <EmptyNotice title={text('list.nothingFound')} hint={text('list.nothingFoundHint')} />
    }
    return (
      <DataTable
        label={label}
        items={list.data.items}
        columns={columns}
        sort={state.sort}
        onSort={(next) => change({ sort: next })}
        onOpen={props.onOpen}
        openId={props.openId}
        isNew={props.isNew}
        selection={selection}
        rowName={props.rowName}
      />
    )
  }

  return (
    <div>
      {!isBare && !isShut && (hasSearch || filters.length > 0 || props.toolbar) && (
        <ListToolbar label={label} state={state} filters={filters} hasSearch={hasSearch} onChange={change}>
          {props.toolbar}
        </ListToolbar>
      )}
      <div className={styles.panel} aria-busy={list.isFetching} data-stale={list.isPlaceholderData ? '' : undefined}>
        {rows()}
      </div>
      {list.data && !isBare && <ListPager page={list.data.page} onChange={change} />}
    </div>
  )
}

/** An address may name a page that is no more, for rows were deleted since. */
function PastTheEnd({ onBack }: { onBack: () => void }) {
  const action = (
    <Button variant="default" onClick={onBack}>
      {text('list.firstPage')}
    </Button>
  )
  return <EmptyNotice title={text('list.pastTheEnd')} action={action} />
}

export function SkeletonRows({ count = 8 }: { count?: number }) {
  return (
    <div role="status" aria-label={text('loading')} className={styles.skeletons}>
      {Array.from({ length: count }, (_, row) => (
        <div key={row}>
          <Skeleton height={14} width={`${30 - (row % 3) * 6}%`} />
          <Skeleton height={14} width="20%" />
          <Skeleton height={14} width="14%" />
        </div>
      ))}
    </div>
  )
}

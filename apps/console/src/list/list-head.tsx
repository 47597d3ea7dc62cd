import type { Collection } from '@portcullis/contract/collection'
import type { ListQuery } from '@portcullis/contract/list-query'
import type { ReactNode } from 'react'
import { ColumnChooser } from './views/column-chooser.tsx'
import { ExportMenu } from './export/export-menu.tsx'
import { ListBadge } from './list-badge.tsx'
import { IntoSlot } from '../ui/list-slots.tsx'
import type { ListPlace, Search } from './state/list-state.ts'
import { useIsNarrow } from '../ui/use-is-narrow.ts'
import { ViewsMenu } from './views/views-menu.tsx'

type Column = { key: string; label: string; phone?: string; isExtra?: boolean }

type Props = {
  of: Collection
  label: string
  list: string
  place: ListPlace
  search: Search
  query: ListQuery
  columns: readonly Column[]
  shown: readonly Column[]
  choose: (keys: readonly string[] | null) => void
  fileColumns: readonly { field: string; title: string }[]
  total: number
  /** Whether the list is empty without filters: then there is nothing to arrange. */
  isBare: boolean
  /** Further buttons. */
  actions?: ReactNode
  live: { isHeld: boolean; newCount: number; onShow: () => void }
}

/** The part of a list in the head of its screen: the live badge, its views, its columns, its export. */
export function ListHead(props: Props) {
  const { of, label, list, place, search, query, columns, shown, choose, fileColumns, total, isBare, live } = props
  const isNarrow = useIsNarrow()
  return (
    <>
      <IntoSlot place="beside">
        <ListBadge of={of} {...live} />
      </IntoSlot>
      {!isBare && (
        <IntoSlot place="actions">
          <ViewsMenu of={of} list={list} place={place} search={search} />
          {!isNarrow && <ColumnChooser columns={columns} shown={shown.map(({ key }) => key)} onChange={choose} />}
          <ExportMenu of={of} label={label} query={query} columns={fileColumns} total={total} />
          {props.actions}
        </IntoSlot>
      )}
    </>
  )
}

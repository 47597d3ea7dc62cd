import { CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { text } from '../text/text.ts'
import chip from './filters/filter-chip.module.css'
import { FilterBar } from './filters/filter-bar.tsx'
import { FilterSheet } from './filters/filter-sheet.tsx'
import type { ListFilter } from './filters/filters.ts'
import type { ListChanges, ListState } from './state/list-state.ts'
import styles from './list-toolbar.module.css'
import { useIsNarrow } from '../ui/use-is-narrow.ts'

type Props = {
  label: string
  state: ListState
  filters: readonly ListFilter[]
  hasSearch: boolean
  /** The orders of the list, for phones, which show no head to press. */
  orders: readonly { prop: string; label: string }[]
  total: number | undefined
  /** The order of the list, where no visible column shows it, and a button back to the default order. */
  hiddenOrder?: { label: string; onClear: () => void } | undefined
  onChange: (changes: ListChanges) => void
  children?: ReactNode
}

const afterTypingMs = 250

/** Search and filters above a list; on a phone the filters are in a sheet. */
export function ListToolbar(props: Props) {
  const { label, state, filters, hasSearch, orders, total, hiddenOrder, onChange, children } = props
  const isNarrow = useIsNarrow()
  const shared = {
    filters,
    values: state.filters,
    onChange: (next: ListState['filters']) => onChange({ filters: next }),
  }
  const hasSheet = isNarrow && (filters.length > 0 || orders.length > 0)

  return (
    <div className={styles.toolbar}>
      {hasSearch && (
        <SearchBox key={label} label={label} value={state.search} onChange={(search) => onChange({ search })} />
      )}
      {hasSheet && (
        <FilterSheet
          {...shared}
          orders={orders}
          sort={state.sort}
          onSort={(sort) => onChange({ sort })}
          total={total}
        />
      )}
      {!isNarrow && filters.length > 0 && <FilterBar {...shared} />}
      {hiddenOrder && (
        <span className={chip.chip} data-set="">
          <span className={chip.words}>
            {text('list.sortBy')} <b>{hiddenOrder.label}</b>
          </span>
          <CloseButton size={24} iconSize={13} aria-label={text('list.ownOrder')} onClick={hiddenOrder.onClear} />
        </span>
      )}
      {children}
    </div>
  )
}

function SearchBox({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const [reported, setReported] = useState(value)
  const report = useDebouncedCallback((next: string) => {
    setReported(next)
    onChange(next)
  }, afterTypingMs)

  // The user went back, or followed a link: the address decides.
  if (value !== reported) {
    setReported(value)
    setTyped(value)
  }

  return (
    <TextInput
      type="search"
      className={styles.search}
      aria-label={text('list.searchIn', { name: label })}
      placeholder={text('list.search')}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={
        typed && (
          <CloseButton
            size="sm"
            aria-label={text('action.clear')}
            onClick={() => {
              setTyped('')
              report('')
            }}
          />
        )
      }
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        report(event.currentTarget.value)
      }}
    />
  )
}

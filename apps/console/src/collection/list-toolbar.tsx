import { Button, CloseButton, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { text } from '../text/text.ts'
import { FilterChip } from './filter-chip.tsx'
import type { ListFilter } from './filters.ts'
import type { ListState } from './list-state.ts'
import styles from './list-toolbar.module.css'
import { without } from './without.ts'

type Props = {
  label: string
  state: ListState
  filters: readonly ListFilter[]
  hasSearch: boolean
  onChange: (changes: Partial<ListState>) => void
  children?: ReactNode
}

const afterTypingMs = 250

/** Search and filters above a list. */
export function ListToolbar({ label, state, filters, hasSearch, onChange, children }: Props) {
  const isFiltered = Object.keys(state.filters).length > 1

  function set(name: string, value: string | undefined) {
    const others = without(state.filters, name)
    onChange({ filters: value === undefined ? others : { ...others, [name]: value } })
  }

  return (
    <div className={styles.toolbar}>
      {hasSearch && (
        <SearchBox key={label} label={label} value={state.search} onChange={(search) => onChange({ search })} />
      )}
      {filters.map((filter) => (
        <FilterChip
          key={filter.name}
          filter={filter}
          value={state.filters[filter.name]}
          onChange={(value) => set(filter.name, value)}
        />
      ))}
      {isFiltered && (
        <Button variant="subtle" size="xs" onClick={() => onChange({ filters: {} })}>
          {text('list.clearFilters')}
        </Button>
      )}
      {children}
    </div>
  )
}

function SearchBox({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const report = useDebouncedCallback((next: string) => {
    setKnown(next)
    onChange(next)
  }, afterTypingMs)

  // Somebody went back, or followed a link: the address has the last word.
  if (value !== known) {
    setKnown(value)
    setTyped(value)
  }

  return (
    <TextInput
      type="search"
      className={styles.search}
      aria-label={text('list.searchIn', { name: label })}
      placeholder={text('list.search')}
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

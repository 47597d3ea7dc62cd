import { CloseButton, Popover } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../text/text.ts'
import styles from './filter-chip.module.css'
import { FilterInput } from './filter-input.tsx'
import { filterWords } from './filter-words.ts'
import { type ListFilter, severalOf } from './filters.ts'
import { NameOf } from '../../item/name-of.tsx'

type Props = {
  filter: ListFilter
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** Opened at once, for a filter that has just been added; told when it is closed without a value. */
  onLeave?: (() => void) | undefined
}

/** A filter and its value: `Status any`. Pressing it asks for another value. */
export function FilterChip({ filter, value, onChange, onLeave }: Props) {
  const [isOpen, setOpen] = useState(onLeave !== undefined)
  const { label } = filter

  function close() {
    setOpen(false)
    if (value === undefined) onLeave?.()
  }

  return (
    <span className={styles.chip} data-set={value ? '' : undefined}>
      <Popover
        opened={isOpen}
        onChange={(next) => (next ? setOpen(true) : close())}
        position="bottom-start"
        width={280}
        shadow="md"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <button type="button" className={styles.button} onClick={() => (isOpen ? close() : setOpen(true))}>
            {label} <FilterValue filter={filter} value={value} />
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={label}>
          <FilterInput filter={filter} value={value} onChange={onChange} onDone={() => setOpen(false)} />
        </Popover.Dropdown>
      </Popover>
      {value && (
        <CloseButton
          size={24}
          iconSize={13}
          aria-label={text('list.removeFilter', { name: label })}
          onClick={() => onChange(undefined)}
        />
      )}
    </span>
  )
}

/** The value in words, of a single chosen item its name. */
export function FilterValue({ filter, value }: { filter: ListFilter; value: string | undefined }) {
  const [only, ...others] = severalOf(value)
  const isOne = filter.kind === 'reference' && only !== undefined && others.length === 0
  const shown = value ?? (filter.kind === 'instant' ? filter.initial : undefined)
  return <b>{isOne ? <NameOf of={filter.of} id={only} /> : filterWords(filter, shown)}</b>
}

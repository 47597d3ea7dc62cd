import { CloseButton, Popover } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../text/text.ts'
import styles from './filter-chip.module.css'
import { FilterInput } from './filter-input.tsx'
import { anyTime, emptyValue, filledValue, type ListFilter, severalOf } from './filters.ts'
import { NameOf } from '../../item/name-of.tsx'
import { numberRange } from './number-range.ts'
import { momentText } from '../../time/time-text.ts'
import { isNamedSpan, rangeOf } from './time-span.ts'
import { listOf } from '../../text/catalogue.ts'

type Props = {
  filter: ListFilter
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** Opened at once, for a filter that has just been added; called when it is closed without a value. */
  onLeave?: (() => void) | undefined
}

/** A filter and its value: `Status any`. Pressing it opens the input. */
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

/** The value in words; for a single selected item its name. */
export function FilterValue({ filter, value }: { filter: ListFilter; value: string | undefined }) {
  const [only, ...others] = severalOf(value)
  const isOne = filter.kind === 'reference' && only !== undefined && others.length === 0
  const shown = value ?? (filter.kind === 'instant' ? filter.initial : undefined)
  return <b>{isOne ? <NameOf of={filter.of} id={only} /> : filterWords(filter, shown)}</b>
}

/** The value of a filter in words; for selected items their number, because their names are loaded elsewhere. */
function filterWords(filter: ListFilter, value: string | undefined): string {
  if (value === undefined) return text('list.any')
  if (value === emptyValue) return text('list.empty')
  if (value === filledValue) return text('list.filled')
  switch (filter.kind) {
    case 'choice': {
      const labels = severalOf(value).map(
        (each) => filter.choices.find((choice) => choice.value === each)?.label ?? each,
      )
      return labels.length > 2 ? text('list.chosen', { count: labels.length }) : listOf(labels)
    }
    case 'reference':
      return text('list.chosen', { count: severalOf(value).length })
    case 'yesNo':
      return value === 'yes' ? filter.yes : filter.no
    case 'instant':
      return spanWords(value)
    case 'number':
      return numberWords(value)
    case 'text':
      return value
  }
}

function spanWords(value: string) {
  if (value === anyTime) return text('list.spans.all')
  if (isNamedSpan(value)) return text(`list.spans.${value}`)
  const { from, until } = rangeOf(value) ?? {}
  const now = new Date()
  if (from && until) return text('list.between', { from: momentText(from, now), until: momentText(until, now) })
  return from
    ? text('list.since', { from: momentText(from, now) })
    : text('list.before', { until: until ? momentText(until, now) : '' })
}

function numberWords(value: string) {
  const { from, to } = numberRange(value) ?? {}
  if (from === undefined) return text('list.atMost', { to: to ?? 0 })
  if (to === undefined) return text('list.atLeast', { from })
  return from === to ? text('list.exactly', { from }) : text('list.between', { from, until: to })
}

import { Button, CloseButton, Drawer, NativeSelect } from '@mantine/core'
import type { Sort } from '@portcullis/contract/list-query'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import { text } from '../../text/text.ts'
import chip from './filter-chip.module.css'
import { FilterValue } from './filter-chip.tsx'
import { FilterInput } from './filter-input.tsx'
import styles from './filter-sheet.module.css'
import { type FilterValues, type ListFilter, valueOf } from './filters.ts'
import { without } from '../../ui/without.ts'

type Props = {
  filters: readonly ListFilter[]
  values: FilterValues
  onChange: (values: FilterValues) => void
  /** The orders of the list; without any, none is offered. */
  orders: readonly { prop: string; label: string }[]
  sort: Required<Sort> | undefined
  onSort: (sort: Required<Sort>) => void
  /** The number of rows with the current filters. */
  total: number | undefined
}

/** Filters and order of a list on a phone: a button, the current filters, and a sheet from below that applies all of it. */
export function FilterSheet({ filters, values, onChange, orders, sort, onSort, total }: Props) {
  const [isOpen, setOpen] = useState(false)
  const count = Object.keys(values).length

  function change(name: string, value: string | undefined) {
    const rest = without(values, name)
    onChange(value === undefined ? rest : { ...rest, [name]: value })
  }

  return (
    <>
      <Button
        variant="default"
        className={styles.button}
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden="true" />}
        aria-label={count > 0 ? text('list.filtersCount', { count }) : text('list.filters')}
        onClick={() => setOpen(true)}
      >
        {text('list.filters')}
        {count > 0 && <span className={styles.count}>{count}</span>}
      </Button>
      <SetFilters filters={filters} values={values} onRemove={(name) => change(name, undefined)} />
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        position="bottom"
        size="auto"
        title={text('list.filters')}
        closeButtonProps={{ 'aria-label': text('action.close') }}
        classNames={{ content: styles.sheet, body: styles.body, title: styles.title }}
      >
        {orders.length > 0 && <OrderInput orders={orders} sort={sort} onSort={onSort} />}
        {filters.map((filter) => (
          <details key={filter.name} className={styles.filter} open={!filter.isSeldom}>
            <summary>
              {filter.label} <FilterValue filter={filter} value={values[filter.name]} />
            </summary>
            <FilterInput
              filter={filter}
              value={values[filter.name]}
              onChange={(value) => change(filter.name, value)}
              onDone={() => undefined}
            />
          </details>
        ))}
        <div className={styles.foot}>
          {count > 0 && (
            <Button variant="default" onClick={() => onChange({})}>
              {text('list.clearAll')}
            </Button>
          )}
          <Button onClick={() => setOpen(false)}>
            {total === undefined ? text('list.done') : text('list.showRows', { count: total })}
          </Button>
        </div>
      </Drawer>
    </>
  )
}

type SetProps = { filters: readonly ListFilter[]; values: FilterValues; onRemove: (name: string) => void }

/** The current filters, visible without opening the sheet. */
function SetFilters({ filters, values, onRemove }: SetProps) {
  const set = filters.filter((filter) => valueOf(filter, values) !== undefined)
  if (set.length === 0) return null
  return (
    <div className={styles.set}>
      {set.map((filter) => (
        <span key={filter.name} className={chip.chip} data-set={values[filter.name] ? '' : undefined}>
          <span className={chip.words}>
            {filter.label} <FilterValue filter={filter} value={values[filter.name]} />
          </span>
          {values[filter.name] && (
            <CloseButton
              size={32}
              iconSize={14}
              aria-label={text('list.removeFilter', { name: filter.label })}
              onClick={() => onRemove(filter.name)}
            />
          )}
        </span>
      ))}
    </div>
  )
}

function OrderInput({ orders, sort, onSort }: Pick<Props, 'orders' | 'sort' | 'onSort'>) {
  const isListed = orders.some(({ prop }) => prop === sort?.prop)
  const options = orders.flatMap(({ prop, label: name }) => [
    { value: prop, label: text('list.ascending', { name }) },
    { value: `-${prop}`, label: text('list.descending', { name }) },
  ])
  return (
    <NativeSelect
      label={text('list.sortBy')}
      value={isListed && sort ? `${sort.dir === 'desc' ? '-' : ''}${sort.prop}` : ''}
      data={isListed ? options : [{ value: '', label: '–' }, ...options]}
      onChange={(event) => {
        const { value } = event.currentTarget
        if (value) onSort({ prop: value.replace(/^-/, ''), dir: value.startsWith('-') ? 'desc' : 'asc' })
      }}
    />
  )
}

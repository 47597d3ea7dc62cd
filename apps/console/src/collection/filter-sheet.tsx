import { Button, CloseButton, Drawer, NativeSelect } from '@mantine/core'
import type { Sort } from '@portcullis/contract/list-query'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import { text } from '../text/text.ts'
import chip from './filter-chip.module.css'
import { FilterValue } from './filter-chip.tsx'
import { FilterInput } from './filter-input.tsx'
import styles from './filter-sheet.module.css'
import type { FilterValues, ListFilter } from './filters.ts'
import { without } from './without.ts'

type Props = {
  filters: readonly ListFilter[]
  values: FilterValues
  onChange: (values: FilterValues) => void
  /** What a list may be sorted by; without it the order is not asked. */
  orders: readonly { prop: string; label: string }[]
  sort: Required<Sort> | undefined
  onSort: (sort: Required<Sort>) => void
  /** How many rows there are with what is set now. */
  total: number | undefined
}

/** Filters and order of a list on a telephone: a button, what is set, and a sheet from below that asks for all of it. */
export function FilterSheet({ filters, values, onChange, orders, sort, onSort, total }: Props) {
  const [isOpen, setOpen] = useState(false)
  const set = filters.filter(({ name }) => values[name] !== undefined)

  function change(name: string, value: string | undefined) {
    const rest = without(values, name)
    onChange(value === undefined ? rest : { ...rest, [name]: value })
  }

  return (
    <div className={styles.bar}>
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {set.length > 0 ? text('list.filtersCount', { count: set.length }) : text('list.filters')}
      </Button>
      {set.map((filter) => (
        <span key={filter.name} className={chip.chip} data-set="">
          <span className={chip.button}>
            {filter.label} <FilterValue filter={filter} value={values[filter.name]} />
          </span>
          <CloseButton
            size={32}
            iconSize={14}
            aria-label={text('list.removeFilter', { name: filter.label })}
            onClick={() => change(filter.name, undefined)}
          />
        </span>
      ))}
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        position="bottom"
        size="auto"
        title={text('list.filters')}
        closeButtonProps={{ 'aria-label': text('action.close') }}
        classNames={{ content: styles.sheet, body: styles.body }}
      >
        {orders.length > 0 && <OrderInput orders={orders} sort={sort} onSort={onSort} />}
        {filters.map((filter) => (
          <section key={filter.name} className={styles.filter}>
            {filter.kind !== 'reference' && <h3>{filter.label}</h3>}
            <FilterInput
              filter={filter}
              value={values[filter.name]}
              onChange={(value) => change(filter.name, value)}
              onDone={() => undefined}
            />
          </section>
        ))}
        <div className={styles.foot}>
          {set.length > 0 && (
            <Button variant="default" onClick={() => onChange({})}>
              {text('list.clearAll')}
            </Button>
          )}
          <Button onClick={() => setOpen(false)}>
            {total === undefined ? text('list.done') : text('list.showRows', { count: total })}
          </Button>
        </div>
      </Drawer>
    </div>
  )
}

function OrderInput({ orders, sort, onSort }: Pick<Props, 'orders' | 'sort' | 'onSort'>) {
  const known = orders.some(({ prop }) => prop === sort?.prop)
  const options = orders.flatMap(({ prop, label: name }) => [
    { value: prop, label: text('list.ascending', { name }) },
    { value: `-${prop}`, label: text('list.descending', { name }) },
  ])
  return (
    <NativeSelect
      label={text('list.sortBy')}
      value={known && sort ? `${sort.dir === 'desc' ? '-' : ''}${sort.prop}` : ''}
      data={known ? options : [{ value: '', label: '–' }, ...options]}
      onChange={(event) => {
        const { value } = event.currentTarget
        if (value) onSort({ prop: value.replace(/^-/, ''), dir: value.startsWith('-') ? 'desc' : 'asc' })
      }}
    />
  )
}

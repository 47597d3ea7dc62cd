import { Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { text } from '../../text/text.ts'
import styles from './filter-bar.module.css'
import { FilterChip } from './filter-chip.tsx'
import type { FilterValues, ListFilter } from './filters.ts'
import { without } from '../../ui/without.ts'

type Props = {
  filters: readonly ListFilter[]
  values: FilterValues
  onChange: (values: FilterValues) => void
}

/** The filters of a list, as chips; rarely used ones are added from a menu. */
export function FilterBar({ filters, values, onChange }: Props) {
  const [added, setAdded] = useState<string>()
  const isShown = ({ name, isSeldom }: ListFilter) => !isSeldom || values[name] !== undefined || name === added
  const others = filters.filter((filter) => !isShown(filter))
  const hasValues = Object.keys(values).length > 0

  function set(name: string, value: string | undefined) {
    const rest = without(values, name)
    if (value === undefined && name === added) setAdded(undefined)
    onChange(value === undefined ? rest : { ...rest, [name]: value })
  }

  function clear() {
    setAdded(undefined)
    onChange({})
  }

  return (
    <div role="group" aria-label={text('list.filters')} className={styles.bar}>
      {filters.filter(isShown).map((filter) => (
        <FilterChip
          key={filter.name}
          filter={filter}
          value={values[filter.name]}
          onChange={(value) => set(filter.name, value)}
          onLeave={filter.name === added ? () => setAdded(undefined) : undefined}
        />
      ))}
      {others.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <button type="button" className={styles.add}>
              <IconPlus size={13} aria-hidden="true" />
              {text('list.filter')}
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ name, label }) => (
              <Menu.Item key={name} onClick={() => setAdded(name)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {hasValues && (
        <Button variant="subtle" size="xs" onClick={clear}>
          {text('list.clearAll')}
        </Button>
      )}
    </div>
  )
}

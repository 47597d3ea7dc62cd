import { Button, Menu } from '@mantine/core'
import { eventCategories } from '@portcullis/contract/event-types'
import { doors } from '@portcullis/contract/collections/doors'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { users } from '@portcullis/contract/collections/users'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { FilterChip } from '../collection/filter-chip.tsx'
import type { ListFilter } from '../collection/filters.ts'
import { useCan } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import type { FilterName, FilterValues } from './event-filters.ts'
import styles from './filter-bar.module.css'
import { TimeChip } from './time-chip.tsx'

type Props = { values: FilterValues; onChange: (values: Record<string, string>) => void }
type Chip = ListFilter & { name: FilterName }

/** What the list is narrowed to; chips that are seldom wanted are added when somebody wants them. */
export function FilterBar({ values, onChange }: Props) {
  const [added, setAdded] = useState<readonly string[]>([])
  const chips = useChips()
  const isShown = ({ name }: Chip) => always.has(name) || values[name] !== undefined || added.includes(name)
  const others = chips.filter((chip) => !isShown(chip))

  function set(name: FilterName, value: string | undefined) {
    const next = Object.entries({ ...values, [name]: value }).filter((entry) => entry[1] !== undefined)
    onChange(Object.fromEntries(next.map(([key, each]) => [key, each ?? ''])))
  }

  return (
    <div className={styles.bar}>
      <TimeChip value={values.time} onChange={(value) => set('time', value)} />
      {chips.filter(isShown).map((chip) => (
        <FilterChip
          key={chip.name}
          filter={chip}
          value={values[chip.name]}
          onChange={(value) => set(chip.name, value)}
        />
      ))}
      {others.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <button type="button" className={styles.add}>
              <IconPlus size={13} aria-hidden="true" />
              {text('events.addFilter')}
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ name, label }) => (
              <Menu.Item key={name} onClick={() => setAdded([...added, name])}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {Object.keys(values).length > 1 && (
        <Button variant="subtle" size="xs" onClick={() => onChange({})}>
          {text('list.clearFilters')}
        </Button>
      )}
    </div>
  )
}

const always: ReadonlySet<string> = new Set(['site', 'outcome'])

/** The filters whose values this person may look up. */
function useChips(): Chip[] {
  const [seesSites, seesUsers, seesUnits] = [
    useCan('view', 'Sites'),
    useCan('view', 'Users'),
    useCan('view', 'Controllers'),
  ]
  const chips: (Chip | false)[] = [
    seesSites && { name: 'site', label: text('events.site'), kind: 'reference', of: sites },
    {
      name: 'outcome',
      label: text('events.outcome'),
      kind: 'choice',
      choices: [
        { value: 'granted', label: text('state.granted') },
        { value: 'denied', label: text('state.denied') },
      ],
    },
    seesSites && { name: 'door', label: text('events.door'), kind: 'reference', of: doors },
    seesUsers && { name: 'user', label: text('events.person'), kind: 'reference', of: users },
    {
      name: 'kind',
      label: text('events.kind'),
      kind: 'choice',
      choices: eventCategories.map((value) => ({ value, label: text(`events.kinds.${value}`) })),
    },
    seesUnits && { name: 'unit', label: text('events.unit'), kind: 'reference', of: units },
  ]
  return chips.filter((chip) => chip !== false)
}

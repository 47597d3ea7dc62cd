import { CloseButton, Menu, Popover } from '@mantine/core'
import type { Collection } from '@portcullis/contract/collection'
import { useState } from 'react'
import { text } from '../text/text.ts'
import styles from './filter-chip.module.css'
import type { ListFilter } from './filters.ts'
import { NameOf } from './name-of.tsx'
import { ReferencePicker } from './reference-picker.tsx'

type Props = { filter: ListFilter; value: string | undefined; onChange: (value: string | undefined) => void }

/** A filter and its value: `Status any`. Tapping it offers the values. */
export function FilterChip({ filter, value, onChange }: Props) {
  return (
    <span className={styles.chip} data-set={value ? '' : undefined}>
      {filter.kind === 'choice' ? (
        <ChoiceChip label={filter.label} choices={filter.choices} value={value} onChange={onChange} />
      ) : (
        <ReferenceChip label={filter.label} of={filter.of} value={value} onChange={onChange} />
      )}
      {value && (
        <CloseButton
          size={20}
          iconSize={12}
          aria-label={text('list.removeFilter', { name: filter.label })}
          onClick={() => onChange(undefined)}
        />
      )}
    </span>
  )
}

type ChoiceProps = Omit<Props, 'filter'> & {
  label: string
  choices: readonly { value: string; label: string }[]
}

function ChoiceChip({ label, choices, value, onChange }: ChoiceProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className={styles.button}>
          {label} <b>{choices.find((choice) => choice.value === value)?.label ?? text('list.any')}</b>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={value ?? ''} onChange={(next) => onChange(next || undefined)}>
          {[{ value: '', label: text('list.any') }, ...choices].map((choice) => (
            <Menu.RadioItem key={choice.value} value={choice.value} closeMenuOnClick>
              {choice.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

function ReferenceChip({ label, of, value, onChange }: Omit<Props, 'filter'> & { label: string; of: Collection }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={260} trapFocus shadow="md">
      <Popover.Target>
        <button type="button" className={styles.button} onClick={() => setOpen(!isOpen)}>
          {label} <b>{value ? <NameOf of={of} id={value} /> : text('list.any')}</b>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <ReferencePicker
          of={of}
          label={label}
          value={value ?? null}
          comboboxProps={{ withinPortal: false }}
          onChange={(next) => {
            onChange(next ?? undefined)
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

import { Button, CloseButton, Menu, Popover, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import chip from '../collection/filter-chip.module.css'
import { dateAndTime } from '../collection/time-text.ts'
import { localMoment, momentOfLocal } from '../parts/local-moment.ts'
import { text } from '../text/text.ts'
import { rangeOf } from './event-filters.ts'
import styles from './time-chip.module.css'

type Props = { value: string | undefined; onChange: (value: string | undefined) => void }

const choices = [
  { value: undefined, label: text('events.times.today') },
  { value: 'hour', label: text('events.times.hour') },
  { value: 'week', label: text('events.times.week') },
  { value: 'all', label: text('events.times.all') },
]

/** The stretch of time of a list of events: `Time Today`; a range of one's own too. */
export function TimeChip({ value, onChange }: Props) {
  const [isChoosing, setChoosing] = useState(false)
  const range = rangeOf(value)

  return (
    <Popover opened={isChoosing} onChange={setChoosing} position="bottom-start" width={280} trapFocus withRoles={false}>
      <Popover.Target>
        <span className={chip.chip} data-set={value ? '' : undefined}>
          <Menu position="bottom-start">
            <Menu.Target>
              <button type="button" className={chip.button}>
                {text('events.time')} <b>{range ? rangeWords(range) : wordsOf(value)}</b>
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              {choices.map((choice) => (
                <Menu.Item
                  key={choice.label}
                  onClick={() => onChange(choice.value)}
                  rightSection={choice.value === value ? <IconCheck size={14} aria-hidden="true" /> : undefined}
                >
                  {choice.label}
                </Menu.Item>
              ))}
              <Menu.Divider />
              <Menu.Item onClick={() => setChoosing(true)}>{text('events.times.range')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          {value && (
            <CloseButton
              size={24}
              iconSize={12}
              aria-label={text('list.removeFilter', { name: text('events.time') })}
              onClick={() => onChange(undefined)}
            />
          )}
        </span>
      </Popover.Target>
      <Popover.Dropdown>
        <RangeForm
          key={value ?? ''}
          range={range}
          onChoose={(next) => {
            onChange(next)
            setChoosing(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

type RangeProps = { range: { from: string; until: string } | undefined; onChoose: (value: string) => void }

function RangeForm({ range, onChoose }: RangeProps) {
  const [from, setFrom] = useState(localMoment(range?.from ?? null))
  const [until, setUntil] = useState(localMoment(range?.until ?? null))
  const first = momentOfLocal(from)
  const last = momentOfLocal(until)
  const isWhole = first !== null && last !== null && first < last

  return (
    <form
      className={styles.range}
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) onChoose(`${first}..${last}`)
      }}
    >
      <TextInput
        type="datetime-local"
        label={text('events.times.from')}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label={text('events.times.until')}
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
      <Button type="submit" disabled={!isWhole}>
        {text('events.times.show')}
      </Button>
    </form>
  )
}

function wordsOf(value: string | undefined) {
  return choices.find((choice) => choice.value === value)?.label ?? text('events.times.today')
}

function rangeWords({ from, until }: { from: string; until: string }) {
  const now = new Date()
  const short = (iso: string) => dateAndTime(new Date(iso), { now }).slice(0, -3)
  return text('events.times.between', { from: short(from), until: short(until) })
}

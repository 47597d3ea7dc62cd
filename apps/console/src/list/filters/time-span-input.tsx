import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { localMoment, momentOfLocal } from '../../time/local-moment.ts'
import { text } from '../../text/text.ts'
import type { FilterInputProps } from './filter-input.tsx'
import { anyTime, type ListFilter } from './filters.ts'
import { OptionList } from './option-list.tsx'
import styles from './range-input.module.css'
import { futureSpans, type NamedSpan, pastSpans, rangeOf, rangeValue } from './time-span.ts'

type Props = FilterInputProps<ListFilter & { kind: 'instant' }>

/** A stretch of time: one that moves along with the present, or from one moment to another in the viewer's zone. */
export function TimeSpanInput({ filter, value, onChange, onDone }: Props) {
  const range = rangeOf(value ?? '') ?? {}
  const [from, setFrom] = useState(localMoment(range.from ?? null))
  const [until, setUntil] = useState(localMoment(range.until ?? null))
  const asked = rangeValue({ from: momentOfLocal(from) ?? '', until: momentOfLocal(until) ?? '' })
  const named: readonly NamedSpan[] = filter.lean === 'past' ? pastSpans : futureSpans
  const spans = filter.initial === undefined ? named : ([...named, anyTime] as const)

  return (
    <>
      <OptionList
        label={filter.label}
        value={value ?? filter.initial}
        options={spans.map((span) => ({ value: span, label: text(`list.spans.${span}`) }))}
        onChange={(next) => {
          onChange(next === filter.initial ? undefined : next)
          onDone()
        }}
      />
      <form
        className={styles.range}
        onSubmit={(event) => {
          event.preventDefault()
          onChange(asked)
          onDone()
        }}
      >
        <TextInput
          type="datetime-local"
          size="xs"
          label={text('list.from')}
          max="9999-12-31T23:59"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          size="xs"
          label={text('list.until')}
          max="9999-12-31T23:59"
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" disabled={rangeOf(asked) === undefined}>
          {text('list.apply')}
        </Button>
      </form>
    </>
  )
}

import { Button } from '@mantine/core'
import { useState } from 'react'
import { localMoment, momentOfLocal } from '../../time/local-moment.ts'
import { MomentInput } from '../../time/moment-input.tsx'
import { viewerZone, zoneInWords } from '../../time/time-text.ts'
import { text } from '../../text/text.ts'
import type { FilterInputProps } from './filter-input.tsx'
import { anyTime, type ListFilter } from './filters.ts'
import { OptionList } from './option-list.tsx'
import styles from './range-input.module.css'
import { futureSpans, type NamedSpan, pastSpans, rangeOf, rangeValue } from './time-span.ts'

type Props = FilterInputProps<ListFilter & { kind: 'instant' }>

/** A time range: one that moves with the present, or from one moment to another in the viewer's time zone. */
export function TimeSpanInput({ filter, value, onChange, onDone }: Props) {
  const range = rangeOf(value ?? '') ?? {}
  const [from, setFrom] = useState(localMoment(range.from ?? null))
  const [until, setUntil] = useState(localMoment(range.until ?? null))
  const entered = rangeValue({ from: momentOfLocal(from) ?? '', until: momentOfLocal(until) ?? '' })
  const named: readonly NamedSpan[] = filter.direction === 'past' ? pastSpans : futureSpans
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
          onChange(entered)
          onDone()
        }}
      >
        <MomentInput isInPopover size="xs" label={text('list.from')} value={from} onChange={setFrom} />
        <MomentInput isInPopover isEnd size="xs" label={text('list.until')} value={until} onChange={setUntil} />
        <p className={styles.hint}>{text('list.times', { zone: zoneInWords(viewerZone) })}</p>
        <Button type="submit" size="xs" variant="default" disabled={rangeOf(entered) === undefined}>
          {text('list.apply')}
        </Button>
      </form>
    </>
  )
}

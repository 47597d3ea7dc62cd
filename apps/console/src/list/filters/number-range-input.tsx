import { Button, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../text/text.ts'
import type { FilterInputProps } from './filter-input.tsx'
import type { ListFilter } from './filters.ts'
import { numberRange, numberRangeValue } from './number-range.ts'
import styles from './range-input.module.css'

type Props = FilterInputProps<ListFilter & { kind: 'number' }>

/** From one number to another; one end is enough. */
export function NumberRangeInput({ filter, value, onChange, onDone }: Props) {
  const range = numberRange(value ?? '') ?? {}
  const [from, setFrom] = useState(range.from)
  const [to, setTo] = useState(range.to)
  const entered = numberRangeValue({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) })
  const shared = {
    allowDecimal: false,
    hideControls: true,
    size: 'xs' as const,
    suffix: filter.unit ? ` ${filter.unit}` : '',
  }

  return (
    <form
      className={styles.range}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(entered)
        onDone()
      }}
    >
      <div className={styles.pair}>
        <NumberInput
          {...shared}
          label={text('list.from')}
          value={from ?? ''}
          onChange={(next) => setFrom(numberOf(next))}
        />
        <NumberInput {...shared} label={text('list.to')} value={to ?? ''} onChange={(next) => setTo(numberOf(next))} />
      </div>
      <Button
        type="submit"
        size="xs"
        variant="default"
        disabled={entered === undefined || numberRange(entered) === undefined}
      >
        {text('list.apply')}
      </Button>
    </form>
  )
}

function numberOf(value: string | number) {
  return typeof value === 'number' ? value : undefined
}

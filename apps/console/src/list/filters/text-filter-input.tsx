import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { text } from '../../text/text.ts'
import type { FilterInputProps } from './filter-input.tsx'
import type { ListFilter } from './filters.ts'
import styles from './range-input.module.css'

type Props = FilterInputProps<ListFilter & { kind: 'text' }>

/** A part of a text, anywhere in it. */
export function TextFilterInput({ value, onChange, onDone }: Props) {
  const [typed, setTyped] = useState(value?.startsWith('~') ? '' : (value ?? ''))
  return (
    <form
      className={styles.range}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(typed.trim() || undefined)
        onDone()
      }}
    >
      <TextInput
        size="xs"
        label={text('list.contains')}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default">
        {text('list.apply')}
      </Button>
    </form>
  )
}

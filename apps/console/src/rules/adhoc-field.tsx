import { Switch, TextInput } from '@mantine/core'
import type { FieldOf } from '../form/use-item-form.ts'
import { localMoment, momentOfLocal } from '../time/local-moment.ts'
import { text } from '../text/text.ts'
import styles from './adhoc-field.module.css'

type Box = { from: string; until: string }

const usualMs = 8 * 3_600_000

/** The time box of a rule: from when until when it holds at all, besides its schedule. */
export function AdhocField({ field, label }: { field: FieldOf<Box | null>; label: string }) {
  const { value, error, onChange } = field

  function put(changes: { from?: string | null; until?: string | null }) {
    if (!value) return
    onChange({ from: changes.from ?? value.from, until: changes.until ?? value.until })
  }

  return (
    <div className={styles.field}>
      <Switch
        label={label}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? fromNow() : null)}
      />
      {value && (
        <div className={styles.box}>
          <TextInput
            type="datetime-local"
            label={text('rules.from')}
            value={localMoment(value.from)}
            onChange={(event) => put({ from: momentOfLocal(event.currentTarget.value) })}
          />
          <TextInput
            type="datetime-local"
            label={text('rules.until')}
            error={error}
            value={localMoment(value.until)}
            onChange={(event) => put({ until: momentOfLocal(event.currentTarget.value) })}
          />
        </div>
      )}
    </div>
  )
}

function fromNow(): Box {
  const now = new Date()
  now.setSeconds(0, 0)
  return { from: now.toISOString(), until: new Date(now.getTime() + usualMs).toISOString() }
}

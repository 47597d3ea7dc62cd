import { TextInput } from '@mantine/core'
import type { FieldOf } from './use-item-form.ts'
import { localMoment, momentOfLocal } from '../time/local-moment.ts'

type Props = { field: FieldOf<string | null>; label?: string }

/** A date and time in the viewer's zone; emptied it is absent. */
export function MomentField({ field, label }: Props) {
  return (
    <TextInput
      type="datetime-local"
      label={label ?? field.label}
      description={field.hint}
      name={field.name}
      error={field.error}
      disabled={field.isFixed}
      max="9999-12-31T23:59"
      value={localMoment(field.value)}
      onChange={(event) => field.onChange(momentOfLocal(event.currentTarget.value))}
    />
  )
}

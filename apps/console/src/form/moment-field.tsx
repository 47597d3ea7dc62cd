import type { FieldOf } from './use-item-form.ts'
import { ElsewhereTime } from './elsewhere-time.tsx'
import { MomentInput } from '../time/moment-input.tsx'
import { localMoment, momentOfLocal } from '../time/local-moment.ts'

type Props = { field: FieldOf<string | null>; label?: string; isEnd?: boolean }

/** A date and time in the viewer's time zone; null when emptied. */
export function MomentField({ field, label, isEnd = false }: Props) {
  return (
    <MomentInput
      label={label ?? field.label}
      description={field.hint ?? <ElsewhereTime moment={field.value} />}
      error={field.error}
      disabled={field.isFixed}
      isEnd={isEnd}
      value={localMoment(field.value)}
      onChange={(local) => field.onChange(momentOfLocal(local))}
    />
  )
}

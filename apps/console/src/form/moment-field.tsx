import { useAccount } from '../session/session-context.tsx'
import type { FieldOf } from './use-item-form.ts'
import { ZonedMoment } from './zoned-moment.tsx'

type Props = {
  field: FieldOf<string | null>
  label?: string
  isEnd?: boolean
  /** The time zone in which it is shown and typed: the account's, unless it belongs to a site. */
  zone?: string
}

/** A date and time of a form; null when emptied. */
export function MomentField({ field, label, isEnd = false, zone }: Props) {
  const { defaultTimeZone } = useAccount()
  return (
    <ZonedMoment
      label={label ?? field.label}
      zone={zone ?? defaultTimeZone}
      hint={field.hint}
      error={field.error}
      disabled={field.isFixed}
      isEnd={isEnd}
      value={field.value}
      onChange={field.onChange}
    />
  )
}

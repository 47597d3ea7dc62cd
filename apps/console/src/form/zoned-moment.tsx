import { useMinute } from '../time/use-minute.ts'
import { text } from '../text/text.ts'
import { isSameClock, localMoment, momentOfLocal } from '../time/local-moment.ts'
import { MomentInput } from '../time/moment-input.tsx'
import { momentText, viewerZone, zoneInWords } from '../time/time-text.ts'

type Props = {
  label: string
  value: string | null
  onChange: (value: string | null) => void
  /** The time zone in which it is shown and typed; named below it where its clock differs from the viewer's. */
  zone: string
  hint?: string | undefined
  error?: string | undefined
  disabled?: boolean
  isEnd?: boolean
}

/** A date and time in a time zone; null when emptied. */
export function ZonedMoment({ value, onChange, zone, hint, ...props }: Props) {
  const note = useZoneNote(value, zone)
  const now = useMinute()
  return (
    <MomentInput
      {...props}
      description={[note, hint].filter(Boolean).join(' · ') || undefined}
      value={localMoment(value, zone)}
      today={localMoment(now.toISOString(), zone).slice(0, 10)}
      onChange={(local) => onChange(momentOfLocal(local, zone))}
    />
  )
}

/** The zone of a field and the same moment on the viewer's clock; undefined where both clocks agree. */
function useZoneNote(value: string | null, zone: string) {
  const now = useMinute()
  const entered = new Date(value ?? Number.NaN)
  const isEmpty = Number.isNaN(entered.getTime())
  const at = isEmpty ? now : entered
  if (isSameClock(at, { zone, other: viewerZone })) return undefined
  const words = zoneInWords(zone, at)
  if (isEmpty) return text('time.inZone', { zone: words })
  return text('time.inZoneAndOwn', { zone: words, time: momentText(at.toISOString(), now) })
}

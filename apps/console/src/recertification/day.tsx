import { Tooltip } from '@mantine/core'
import { atZone, viewerZone } from '../time/time-text.ts'

/** The day of a moment, with its time on hover: deadlines are thought of in days. */
export function Day({ at }: { at: string }) {
  return (
    <Tooltip label={atZone(new Date(at), viewerZone)}>
      <time dateTime={at}>{dayOf(at)}</time>
    </Tooltip>
  )
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

export function dayOf(at: string) {
  return day.format(new Date(at))
}

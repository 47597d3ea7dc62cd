import { Tooltip } from '@mantine/core'
import { atZone, viewerZone } from '../time/time-text.ts'
import { locale } from '../text/language.ts'

/** The day of a moment, with its time on hover: deadlines are counted in days. */
export function Day({ at }: { at: string }) {
  return (
    <Tooltip label={atZone(new Date(at), viewerZone)}>
      <time dateTime={at}>{dayOf(at)}</time>
    </Tooltip>
  )
}

const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })

export function dayOf(at: string) {
  return day.format(new Date(at))
}

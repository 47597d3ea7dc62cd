import { Tooltip } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { text } from '../text/text.ts'
import { isSameClock } from './local-moment.ts'
import { SiteTimeNote } from './site-time-note.tsx'
import { atZone, dateAndTime, relative, viewerZone } from './time-text.ts'

type Props = {
  at: string | null
  /** The site's time zone; its time is also shown where it differs from the viewer's. */
  zone?: string | null | undefined
  /** Where the site's time is shown: after the viewer's, on a line of its own, or only on hover. */
  siteTime?: 'after' | 'below' | 'onHover'
  /** `time` leaves the date out where it is today's; `relative` says how long ago. */
  as?: 'dateTime' | 'time' | 'relative'
}

/** A moment in the viewer's time zone and, where it differs, at the site: `<Time at={event.occurredAt} zone={site.timeZone} />`. */
export function Time({ at, zone, siteTime = 'after', as = 'dateTime' }: Props) {
  const now = useNow(as === 'relative')
  if (at === null) return <span className="soft">–</span>
  const moment = new Date(at)
  const shown = as === 'relative' ? relative(moment, now) : dateAndTime(moment, { now, isTimeOnly: as === 'time' })
  const note = { at: moment, zone, relativeTo: as === 'relative' ? now : undefined, isBelow: siteTime === 'below' }
  return (
    <>
      <Tooltip label={hint(moment, zone)} multiline>
        <time dateTime={at}>{shown}</time>
      </Tooltip>
      {siteTime !== 'onHover' && <SiteTimeNote {...note} />}
    </>
  )
}

function hint(moment: Date, zone: string | null | undefined) {
  const own = atZone(moment, viewerZone)
  if (!zone || isSameClock(moment, { zone, other: viewerZone })) return own
  return `${own} · ${text('time.atSite', { time: atZone(moment, zone) })}`
}

const everyMs = 5_000
let now = new Date()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** The present, updated every 5 seconds. */
function useNow(isMoving: boolean) {
  return useSyncExternalStore(isMoving ? watchClock : still, () => now)
}

function still() {
  return () => undefined
}

function watchClock(onTick: () => void) {
  listeners.add(onTick)
  timer ??= setInterval(() => {
    now = new Date()
    for (const listener of listeners) listener()
  }, everyMs)
  return () => {
    listeners.delete(onTick)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

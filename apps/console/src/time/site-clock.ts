import { locale } from '../text/language.ts'
import { isSameClock } from './local-moment.ts'
import { viewerZone } from './time-text.ts'

type Options = {
  zone: string | null | undefined
  /** The present, where the viewer's time is shown as how long ago: the day is then added unless it is today at the site. */
  relativeTo?: Date | undefined
}

/**
 * The time of a moment at a site with the short name of its zone, where it differs from the viewer's: `23:59 SAST`, and
 * `Sat 00:42 SAST` where it is another day there.
 */
export function siteClock(at: Date, { zone, relativeTo }: Options): string | undefined {
  if (!zone || isSameClock(at, { zone, other: viewerZone })) return undefined
  const time = `${format(at, { timeZone: zone, hour: '2-digit', minute: '2-digit' })} ${zoneName(at, zone)}`
  const shownDay = relativeTo ? dayIn(relativeTo, zone) : dayIn(at, viewerZone)
  if (dayIn(at, zone) === shownDay) return time
  const isFar = relativeTo !== undefined && relativeTo.getTime() - at.getTime() > unambiguousMs
  return `${format(at, { timeZone: zone, ...(isFar ? dayAndMonth : weekday) })} ${time}`
}

const dayAndMonth = { day: 'numeric', month: 'short' } as const
const weekday = { weekday: 'short' } as const
/** Up to this age a weekday alone names a day. */
const unambiguousMs = 6 * 86_400_000

/** `SAST`, or `UTC+2` in languages that have no short name for the zone. */
function zoneName(at: Date, timeZone: string) {
  const made = formatOf({ timeZone, timeZoneName: 'short' })
  const name = made.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  return name.replace(/^GMT(?=[+-])/, 'UTC')
}

function dayIn(at: Date, timeZone: string) {
  return format(at, { timeZone, day: 'numeric', month: 'numeric', year: 'numeric' })
}

function format(at: Date, options: Intl.DateTimeFormatOptions) {
  return formatOf(options).format(at)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(options: Intl.DateTimeFormatOptions) {
  const key = JSON.stringify(options)
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, made)
  return made
}

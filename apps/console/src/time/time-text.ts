import { text } from '../text/text.ts'
import { locale } from '../text/language.ts'

export const viewerZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** `20 Nov, 18:42:07`, with the year if it is another; today only the time, with `isTimeOnly`. In the viewer's time zone. */
export function dateAndTime(moment: Date, { now, isTimeOnly = false }: { now: Date; isTimeOnly?: boolean }): string {
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  if (isTimeOnly && dayOf(moment) === dayOf(now)) return format(moment, time)
  return format(moment, { ...dateParts(moment, now), ...time })
}

/** `20 Nov, 18:42`, with the year if it is another; `…` for text that is no moment, as a form may have it. */
export function momentText(iso: string, now: Date): string {
  const moment = new Date(iso)
  if (Number.isNaN(moment.getTime())) return '…'
  return format(moment, { ...dateParts(moment, now), hour: '2-digit', minute: '2-digit' })
}

/** A moment in a time zone, with the name of its place: `Fri 20 Nov 2026, 20:42:07 Johannesburg`. */
export function atZone(moment: Date, timeZone: string): string {
  const shown = format(moment, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return `${shown} ${placeOf(timeZone)}`
}

/** A period in a time zone: `Mon 23 Nov, 08:00 – 17:00`, or `From Mon 23 Nov, 08:00` without an end. */
export function spanText({ from, until }: { from: string; until: string | null }, timeZone: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  const words = new Intl.DateTimeFormat(locale, { timeZone, ...parts })
  if (until === null) return text('time.fromOn', { from: words.format(new Date(from)) })
  return words.formatRange(new Date(from), new Date(until))
}

/** How long ago: `just now`, `40 s ago`, `12 min ago`, `3 h ago`, `2 d ago`. */
export function relative(moment: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - moment.getTime()) / 1_000))
  if (seconds < 10) return text('time.now')
  if (seconds < 60) return text('time.seconds', { count: seconds })
  if (seconds < 3_600) return text('time.minutes', { count: Math.floor(seconds / 60) })
  if (seconds < 86_400) return text('time.hours', { count: Math.floor(seconds / 3_600) })
  return text('time.days', { count: Math.floor(seconds / 86_400) })
}

/** `Johannesburg (UTC+2)` */
export function zoneInWords(timeZone: string, at: Date = new Date()): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'shortOffset' }).formatToParts(at)
  const offset =
    parts
      .find(({ type }) => type === 'timeZoneName')
      ?.value.replace('GMT', 'UTC')
      .replace(/\+0$/, '') ?? 'UTC'
  return `${placeOf(timeZone)} (${offset})`
}

function placeOf(timeZone: string) {
  return timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone
}

/** The year only if it is another than now. */
function dateParts(moment: Date, now: Date) {
  const isThisYear = moment.getFullYear() === now.getFullYear()
  return { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' as const }) } as const
}

function dayOf(moment: Date) {
  return `${moment.getFullYear()}-${moment.getMonth()}-${moment.getDate()}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats are expensive to make and are needed once per row. */
function format(moment: Date, options: Intl.DateTimeFormatOptions) {
  const key = JSON.stringify(options)
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, made)
  return made.format(moment)
}

import { viewerZone } from './time-text.ts'

/**
 * A moment on a wall clock in a time zone, as date and time inputs take it: `2026-11-20T18:00`; text that is no moment
 * unchanged.
 */
export function localMoment(iso: string | null, zone: string = viewerZone): string {
  if (iso === null) return ''
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return iso
  return new Date(wallClockMs(at, zone)).toISOString().slice(0, 16)
}

/** The moment of such an input; null where it is empty, and the text where it is none, so that no schema accepts it. */
export function momentOfLocal(local: string, zone: string = viewerZone): string | null {
  if (local === '') return null
  const wall = isLocal(local) ? Date.parse(`${local}Z`) : Number.NaN
  return Number.isNaN(wall) ? local : new Date(instantOf(wall, zone)).toISOString()
}

/** Whether a text is a date and time without a zone. */
export function isLocal(local: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(local)
}

/** Whether the wall clocks of two zones show the same time at a moment. */
export function isSameClock(at: Date, zones: { zone: string; other: string }): boolean {
  const { zone, other } = zones
  return zone === other || wallClockMs(at.getTime(), zone) === wallClockMs(at.getTime(), other)
}

const dayMs = 86_400_000

/** A repeated hour means its first pass; a skipped one is read with the offset before the change, as browsers do. */
function instantOf(wall: number, zone: string) {
  const [before, after] = [-dayMs, dayMs].map((shift) => wall - offsetMs(wall + shift, zone))
  const exact = [before, after].find((at) => at !== undefined && wallClockMs(at, zone) === wall)
  return exact ?? before ?? wall
}

function wallClockMs(at: number, zone: string) {
  return at + offsetMs(at, zone)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The offset of a zone from UTC. */
function offsetMs(at: number, zone: string) {
  const format = formats.get(zone) ?? formatIn(zone)
  formats.set(zone, format)
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const field = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const wall = Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
  )
  return wall - Math.floor(at / 1_000) * 1_000
}

function formatIn(timeZone: string) {
  return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
}

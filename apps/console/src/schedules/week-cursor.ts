import { direction } from '../text/language.ts'
import { minutesADay } from '../time/week-lanes.ts'

/** A quarter of an hour of the week: an ISO week day, and its start in minutes since midnight. */
export type Point = { day: number; minute: number }

export const stepMinutes = 15
const lastMinute = minutesADay - stepMinutes

/** Where a key moves the cursor, by an hour with Shift; undefined for keys that do not move it. */
export function pointAfter(key: string, { from: { day, minute }, shift }: { from: Point; shift: boolean }) {
  const step = shift ? 60 : stepMinutes
  const forwards = direction === 'rtl' ? -step : step
  switch (key) {
    case 'ArrowUp':
      return { day: Math.max(1, day - 1), minute }
    case 'ArrowDown':
      return { day: Math.min(7, day + 1), minute }
    case 'ArrowRight':
      return { day, minute: within(minute + forwards, 0, lastMinute) }
    case 'ArrowLeft':
      return { day, minute: within(minute - forwards, 0, lastMinute) }
    case 'Home':
      return { day, minute: 0 }
    case 'End':
      return { day, minute: lastMinute }
    default:
      return undefined
  }
}

export function within(value: number, least: number, most: number) {
  return Math.min(most, Math.max(least, value))
}

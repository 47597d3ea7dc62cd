import type { Window } from '@portcullis/domain/policy'
import { isTime } from './clock-of.ts'

/** A period of a day in minutes since its midnight. */
export type Stretch = { from: number; until: number }

/** The open periods of each day of a week, Monday first; one that goes over midnight continues in the next lane. */
export function weekLanes(windows: readonly Window[]): Stretch[][] {
  const lanes: Stretch[][] = Array.from({ length: 7 }, () => [])
  for (const { days, start, end } of windows) {
    const [from, to] = [minuteOf(start), minuteOf(end)]
    if (from === undefined || to === undefined) continue
    for (const day of days) {
      const until = to <= from ? to + minutesADay : to
      lanes[day - 1]?.push({ from, until: Math.min(until, minutesADay) })
      if (until > minutesADay) lanes[day % 7]?.push({ from: 0, until: until - minutesADay })
    }
  }
  return lanes
}

export const minutesADay = 1440

function minuteOf(clock: string) {
  if (!isTime(clock)) return undefined
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

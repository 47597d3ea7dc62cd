import type { WritableWindow } from './draw-week.ts'

type Copy = { from: number; to: readonly number[] }

/** The windows of a week after some days got the hours of another day, instead of their own. Nights stay whole. */
export function copyDay(windows: readonly WritableWindow[], { from, to }: Copy): WritableWindow[] {
  return windows
    .map((window) => {
      const others = window.days.filter((day) => !to.includes(day))
      const days = window.days.includes(from) ? [...others, ...to].toSorted((a, b) => a - b) : others
      return { ...window, days }
    })
    .filter(({ days }) => days.length > 0)
}

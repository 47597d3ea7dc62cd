import { minutesADay, type Stretch, weekLanes } from '../time/week-lanes.ts'
import { timeAt } from '../time/clock-of.ts'

export type WritableWindow = { days: number[]; start: string; end: string }

/** A rectangle drawn over the week: ISO week days, and minutes since midnight. */
export type Drawn = Stretch & { days: readonly number[] }

/**
 * The windows of a week after hours were drawn or cleared, as few as possible: days with the same
 * hours share a window, and hours over midnight are one window.
 */
export function drawWeek(windows: readonly WritableWindow[], { days, from, until }: Drawn, how: 'add' | 'wipe') {
  const lanes = weekLanes(windows).map((lane, index) => {
    if (!days.includes(index + 1)) return joined(lane)
    return how === 'add' ? joined([...lane, { from, until }]) : without(lane, { from, until })
  })
  return windowsOf(lanes)
}

function joined(lane: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = []
  for (const stretch of lane.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && stretch.from <= last.until)
      result[result.length - 1] = { from: last.from, until: Math.max(last.until, stretch.until) }
    else result.push(stretch)
  }
  return result
}

function without(lane: readonly Stretch[], gone: Stretch): Stretch[] {
  return joined(lane).flatMap(({ from, until }) =>
    [
      { from, until: Math.min(until, gone.from) },
      { from: Math.max(from, gone.until), until },
    ].filter((rest) => rest.from < rest.until),
  )
}

function windowsOf(lanes: readonly Stretch[][]): WritableWindow[] {
  const hours = new Map<string, { start: string; end: string; days: number[] }>()
  lanes.forEach((lane, index) => {
    const before = lanes[(index + 6) % 7] ?? []
    const after = lanes[(index + 1) % 7] ?? []
    for (const stretch of lane) {
      if (beginsOf(before, stretch)) continue
      const rest = restOf(stretch, after)
      const [start, end] = [timeAt(stretch.from), timeAt(rest ? rest.until : stretch.until)]
      const existing = hours.get(`${start} ${end}`)
      if (existing) existing.days.push(index + 1)
      else hours.set(`${start} ${end}`, { start, end, days: [index + 1] })
    }
  })
  return [...hours.values()].map(({ days, start, end }) => ({ days, start, end }))
}

/** Hours that continue after midnight, if they end before the hour at which they began: longer ones are not a single window. */
function restOf({ from, until }: Stretch, after: readonly Stretch[]) {
  if (until < minutesADay) return undefined
  return after.find((next) => next.from === 0 && next.until < from)
}

/** Whether a period is the rest of one of the day before. */
function beginsOf(before: readonly Stretch[], stretch: Stretch) {
  return stretch.from === 0 && before.some((earlier) => restOf(earlier, [stretch]) !== undefined)
}

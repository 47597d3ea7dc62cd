import type { Hours, Window } from '@portcullis/domain/policy'
import { conjunction } from '../text/catalogue.ts'
import { text } from '../text/text.ts'
import { timeOfDay } from './site-time.ts'

/** `Mon to Fri 06:00 to 18:00`; several windows one after the other, `never` if there is none. */
export function windowsInWords(windows: readonly Window[]): string {
  if (windows.length === 0) return text('week.never')
  return windows
    .map((window) => text('week.window', { days: daysInWords(window.days), hours: hoursInWords(window) }))
    .join('; ')
}

/** `06:00 to 18:00`, `22:00 to 06:00 next day`, `all day`. */
export function hoursInWords({ start, end }: Hours): string {
  if (isWholeDay({ start, end })) return text('week.allDay')
  return text(isOverMidnight({ start, end }) ? 'week.hoursOver' : 'week.hours', {
    start: timeOfDay(start),
    end: timeOfDay(end),
  })
}

/** Whether hours end on the day after their start; midnight itself still ends the same day. */
export function isOverMidnight({ start, end }: Hours): boolean {
  return end <= start && end !== '00:00'
}

/** `Mon to Fri`, `Sat and Sun`, `Mon, Wed and Fri`. ISO week days: 1 is Monday. */
export function daysInWords(days: readonly number[]): string {
  const runs = runsOf([...new Set(days)].sort((a, b) => a - b))
  const words = runs.flatMap(([from, to]) =>
    to - from >= 2 ? [text('week.run', { from: dayName(from), to: dayName(to) })] : names(from, to),
  )
  return words.length === 0 ? text('week.noDay') : conjunction.format(words)
}

/** The short name of an ISO week day. */
export function dayName(day: number): string {
  return dayNames[day - 1] ?? ''
}

const dayNames = [
  text('week.mon'),
  text('week.tue'),
  text('week.wed'),
  text('week.thu'),
  text('week.fri'),
  text('week.sat'),
  text('week.sun'),
]

function isWholeDay({ start, end }: Hours) {
  return start === '00:00' && (end === '24:00' || end === '00:00')
}

function names(from: number, to: number) {
  return from === to ? [dayName(from)] : [dayName(from), dayName(to)]
}

function runsOf(days: readonly number[]) {
  const runs: [number, number][] = []
  for (const day of days) {
    const last = runs.at(-1)
    if (last && last[1] === day - 1) last[1] = day
    else runs.push([day, day])
  }
  return runs
}

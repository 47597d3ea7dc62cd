/** The half of the day before and after noon, as it is typed: `a` and `p`. */
export type DayHalf = 'a' | 'p'

/**
 * The time of day that a user typed, as `HH:MM` up to `24:00`: `7`, `07`, `730`, `7.30`, `7h30`, `7:30 pm`, `7:30p`; undefined
 * where it is not a time. On a 12-hour clock `assumed` is the half of an hour from 1 to 11 that is typed without one.
 */
export function clockOf(typed: string, assumed?: DayHalf): string | undefined {
  const match = /^(\d{1,2})[:.h ]?(\d{2})?\s*(?:([ap])\.?(?:\s?m\.?)?)?$/iu.exec(typed.trim())
  if (!match) return undefined
  const half = match[3]?.toLowerCase() ?? (/^(?:[1-9]|1[01])$/.test(match[1] ?? '') ? assumed : undefined)
  const hours = onDayClock(Number(match[1]), half)
  if (hours === undefined) return undefined
  const minutes = Number(match[2] ?? 0)
  if (hours * 60 + minutes > 1440 || minutes > 59) return undefined
  return timeAt(hours * 60 + minutes)
}

/** Whether a text is a stored time of day, `00:00` to `24:00`. */
export function isTime(value: string): boolean {
  return clockOf(value) === value
}

/** A minute of the day as a schedule stores it: `08:30`, up to `24:00`. */
export function timeAt(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** 12 am is midnight, 12 pm is noon. */
function onDayClock(hours: number, half: string | undefined) {
  if (half === undefined) return hours
  if (hours < 1 || hours > 12) return undefined
  return (hours % 12) + (half === 'p' ? 12 : 0)
}

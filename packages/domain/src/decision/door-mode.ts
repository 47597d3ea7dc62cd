import type { DoorMode } from '../policy.ts'
import type { ScheduleTable } from '../time/schedule-table.ts'
import type { SiteCalendar } from './access-facts.ts'
import { type ScheduleReading, scheduleReading } from './schedule-reading.ts'

/** The desired mode of a door and its end; without an end it applies until it is changed. */
export type DesiredMode = { readonly mode: DoorMode; readonly modeUntil?: string | null }

/** The desired mode at an instant (epoch milliseconds): from its end on, a door returns to its schedule. */
export function modeAt({ mode, modeUntil = null }: DesiredMode, at: number): DoorMode {
  return modeUntil !== null && Date.parse(modeUntil) <= at ? 'normal' : mode
}

/** The unlock schedule of a door and the calendar of its site. */
export type UnlockHours = { readonly table: ScheduleTable; readonly calendar: SiteCalendar }

type UnlockedInput = {
  /** Absent: the door has no unlock schedule, or it does not apply. */
  readonly hours: UnlockHours | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

/** The unlock schedule by which a door stands unlocked at an instant; undefined if it does not. Other modes than normal override it. */
export function unlockedBySchedule(mode: DoorMode, { hours, at }: UnlockedInput): ScheduleReading | undefined {
  if (mode !== 'normal' || hours === undefined) return undefined
  const reading = scheduleReading(hours.calendar, hours.table, at)
  return reading.state.open ? reading : undefined
}

/** The mode by which a door decides and drives its lock at an instant. */
export function effectiveMode(mode: DoorMode, input: UnlockedInput): DoorMode {
  return unlockedBySchedule(mode, input) ? 'unlocked' : mode
}

import type { ScheduleFacts } from './access-facts.ts'
import { interlockedDoors } from './door-conditions.ts'
import { calendarOfDoor } from './door-in-policy.ts'
import { type UnlockHours } from './door-mode.ts'
import type { LeftOutOfUnit } from './left-out.ts'
import type { PolicyIndex } from './policy-index.ts'
import type { Door } from '../policy.ts'

type WithTable = ScheduleFacts & { readonly table: NonNullable<ScheduleFacts['table']> }

/**
 * The schedule by which a door stands unlocked. None at a disabled door, none without an enabled controller and the number
 * of the door there, and none in an interlock, whose doors would keep the others locked. A missing or invalid schedule
 * unlocks nothing.
 */
export function unlockScheduleOf(index: PolicyIndex, door: Door): WithTable | undefined {
  if (!door.unlockSchedule || !door.enabled || door.unitDoor === null) return undefined
  const unit = index.units.get(door.unit ?? '')
  const schedule = index.schedules.get(door.unlockSchedule)
  if (!schedule?.table || !unit || unit.inService === false) return undefined
  return interlockedDoors(index, door).length > 0 ? undefined : { ...schedule, table: schedule.table }
}

type UnlockHoursInput = { readonly at: number; readonly leftOut?: LeftOutOfUnit | undefined }

/** The same with the calendar around an instant; undefined if the door's controller has no room for the schedule. */
export function unlockHoursOf(
  index: PolicyIndex,
  door: Door,
  { at, leftOut }: UnlockHoursInput,
): (UnlockHours & { readonly schedule: ScheduleFacts }) | undefined {
  const schedule = unlockScheduleOf(index, door)
  if (schedule === undefined || leftOut?.schedules.includes(schedule._id)) return undefined
  const calendar = calendarOfDoor(index, door, at)
  return calendar && { schedule, table: schedule.table, calendar }
}

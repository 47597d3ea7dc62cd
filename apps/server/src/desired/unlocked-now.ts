import { modeAt, unlockedBySchedule } from '@portcullis/domain/decision/door-mode'
import type { PolicyIndex } from '@portcullis/domain/decision/policy-index'
import type { ScheduleReading } from '@portcullis/domain/decision/schedule-reading'
import { unlockHoursOf } from '@portcullis/domain/decision/unlock-schedule'
import type { Door } from '@portcullis/domain/policy'
import type { Database } from '../database/database.ts'
import { leftOutByUnit } from './left-out-by-unit.ts'

type Input = { index: PolicyIndex; doors: readonly Door[] }

/** Which of these doors stand unlocked by their schedules now, and what their schedules say. */
export async function unlockedNow(
  database: Database,
  { index, doors }: Input,
): Promise<Map<string, ScheduleReading['facts']>> {
  const scheduled = doors.filter(({ unlockSchedule }) => unlockSchedule)
  if (scheduled.length === 0) return new Map()
  const leftOut = await leftOutByUnit(database, [...new Set(scheduled.flatMap(({ unit }) => unit ?? []))])
  const at = Date.now()
  return new Map(
    scheduled.flatMap((door) => {
      const hours = unlockHoursOf(index, door, { at, leftOut: leftOut.get(door.unit ?? '') })
      const reading = unlockedBySchedule(modeAt(door, at), { hours, at })
      return reading ? [[door._id, reading.facts]] : []
    }),
  )
}

import { dateOfEpochDay, dayMs, localTime, zoneTransitions } from '@portcullis/domain/time/zone'

/** A change of the clocks: local minutes since midnight that a day skips or repeats. */
export type ClockChange = { kind: 'skipped' | 'repeated'; from: number; until: number }

type Range = { timeZone: string; fromDay: number; untilDay: number }

/** The clock changes of a zone within a range of civil days, by date. */
export function clockChanges({ timeZone, fromDay, untilDay }: Range): ReadonlyMap<string, ClockChange> {
  const { initialOffsetMinutes, transitions } = zoneTransitions({
    timeZone,
    from: (fromDay - 1) * dayMs,
    until: (untilDay + 1) * dayMs,
  })
  let before = initialOffsetMinutes
  const changes = new Map<string, ClockChange>()
  for (const { at, offsetMinutes } of transitions) {
    const [earlier, length] = [Math.min(before, offsetMinutes), Math.abs(offsetMinutes - before)]
    const { epochDay, msOfDay } = localTime({ initialOffsetMinutes: earlier, transitions: [] }, at)
    const from = msOfDay / minuteMs
    const kind = offsetMinutes > before ? 'skipped' : 'repeated'
    if (length > 0) changes.set(dateOfEpochDay(epochDay), { kind, from, until: from + length })
    before = offsetMinutes
  }
  return changes
}

const minuteMs = 60_000

import type { SiteCalendar } from './access-facts.ts'
import { present, type RuleFindingFacts } from './finding.ts'
import { lastingState, type ScheduleState } from '../time/schedule.ts'
import type { ScheduleTable } from '../time/schedule-table.ts'
import type { Span } from '../time/zone.ts'

/** The state of a schedule at a site, and the facts that findings show of it. */
export type ScheduleReading = {
  readonly state: ScheduleState
  readonly facts: Pick<RuleFindingFacts, 'holiday' | 'closedSince' | 'opensAt' | 'openUntil'>
}

type LastingReading = ScheduleReading & Span

/**
 * The last reading of each schedule at each site, for all rules, users and doors. It depends only on these two objects,
 * which never change, and is gone with either: a changed schedule, holiday or site has new ones.
 */
const lastReadings = new WeakMap<SiteCalendar, WeakMap<ScheduleTable, LastingReading>>()

export function scheduleReading(calendar: SiteCalendar, schedule: ScheduleTable, at: number): ScheduleReading {
  const ofSite = lastReadings.get(calendar)
  const last = ofSite?.get(schedule)
  if (last !== undefined && last.from <= at && at < last.until) return last
  const reading = readSchedule(calendar, schedule, at)
  if (ofSite === undefined) lastReadings.set(calendar, new WeakMap([[schedule, reading]]))
  else ofSite.set(schedule, reading)
  return reading
}

function readSchedule({ holidays, zone }: SiteCalendar, schedule: ScheduleTable, at: number): LastingReading {
  const { state, from, until } = lastingState({ schedule, holidays, zone, at })
  const facts = present({
    holiday: state.holiday,
    closedSince: isoOf(state.closedSince),
    opensAt: isoOf(state.opensAt),
    openUntil: isoOf(state.openUntil),
  })
  return { state, facts, from, until }
}

function isoOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}

import type { DoorMode } from '@portcullis/domain/policy'

/** An outage of a unit's connection in the past weeks. */
export type Outage = { unit: string; from: number; until: number }

const outages = [
  { unit: 'Freezer wing controller', daysAgo: 26, from: '13:02', until: '14:20' },
  { unit: 'London controller', daysAgo: 23, from: '09:41', until: '09:58' },
  { unit: 'Clean wing controller', daysAgo: 19, from: '03:15', until: '03:22' },
  { unit: 'Yard gate controller', daysAgo: 15, from: '05:50', until: '07:31' },
  { unit: 'Harbour House controller', daysAgo: 9, from: '14:37', until: '15:12' },
  { unit: 'Cross-dock controller', daysAgo: 5, from: '09:05', until: '09:48' },
  { unit: 'Cold Store controller', daysAgo: 3, from: '06:38', until: '07:16' },
  { unit: 'Laboratory controller', daysAgo: 1, from: '02:11', until: '02:19' },
] as const

export function outagesBefore(now: Date): Outage[] {
  return outages.map(({ unit, daysAgo, from, until }) => ({
    unit,
    from: momentBefore(now, { daysAgo, at: from }),
    until: momentBefore(now, { daysAgo, at: until }),
  }))
}

/** The time in which a unit was disabled for an inspection. */
export function inspection(now: Date) {
  return {
    unit: 'Harbour House controller',
    from: momentBefore(now, { daysAgo: 2, at: '11:00' }),
    until: momentBefore(now, { daysAgo: 2, at: '11:40' }),
  }
}

/**
 * Received her card while the cold store's controller was offline. It denied her, because its configuration did not contain
 * the card yet.
 */
export const newcomer = {
  name: 'Inga Lindqvist',
  number: '0412-19007',
  unit: 'Cold Store controller',
  door: 'Main entrance',
  cardAt: (now: Date) => momentBefore(now, { daysAgo: 3, at: '06:44' }),
  deniedAt: (now: Date) => ['06:53', '06:54'].map((at) => momentBefore(now, { daysAgo: 3, at })),
} as const

type ModeChange = { door: string; mode: DoorMode; daysAgo: number; at: string; until?: string }

/** Doors that are blocked, locked down, or held unlocked for a while. */
export const modeChanges: readonly ModeChange[] = [
  { door: 'Roof hatch', mode: 'blocked', daysAgo: 27, at: '08:12' },
  { door: 'Reception', mode: 'unlocked', daysAgo: 11, at: '06:30', until: '10:00' },
  { door: 'Reception', mode: 'normal', daysAgo: 11, at: '09:14' },
  { door: 'Chemical store', mode: 'lockdown', daysAgo: 5, at: '06:58' },
]

/** Doors that were opened without a presented card. */
export const forcedDoors = [
  { door: 'Loading Bay 2', daysAgo: 16, at: '00:47' },
  { door: 'Yard gate', daysAgo: 6, at: '22:31' },
] as const

export function momentBefore(now: Date, { daysAgo, at }: { daysAgo: number; at: string }) {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - daysAgo, hours, minutes)
}

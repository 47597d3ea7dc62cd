/** What befell units in the days before: a broken line, or an hour out of service for an inspection. */
export type Happening = { unit: string; what: 'offline' | 'out_of_service'; from: number; until: number }

export function happeningsBefore(now: Date): Happening[] {
  return happenings.map(({ unit, what, daysAgo, from, until }) => {
    const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - daysAgo)
    return { unit, what, from: midnight + minutesOf(from) * 60_000, until: midnight + minutesOf(until) * 60_000 }
  })
}

const happenings = [
  { unit: 'Cross-dock controller', what: 'offline', daysAgo: 5, from: '09:05', until: '09:48' },
  { unit: 'Cold Store controller', what: 'offline', daysAgo: 3, from: '06:38', until: '07:16' },
  { unit: 'Harbour House controller', what: 'out_of_service', daysAgo: 2, from: '11:00', until: '11:40' },
  { unit: 'Laboratory controller', what: 'offline', daysAgo: 1, from: '02:11', until: '02:19' },
] as const

/** Got her card while the cold store's controller could not be reached: it turned her away, not knowing of it yet. */
export const newcomer = { name: 'Inga Lindqvist', unit: 'Cold Store controller', door: 'Main entrance' } as const

/** Doors that were opened without anybody presenting a card. */
export const forcedDoors = [
  { door: 'Loading Bay 2', daysAgo: 4, at: '00:47' },
  { door: 'Yard gate', daysAgo: 2, at: '22:31' },
] as const

export function momentBefore(now: Date, { daysAgo, at }: { daysAgo: number; at: string }) {
  const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - daysAgo)
  return day + minutesOf(at) * 60_000
}

function minutesOf(time: string) {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

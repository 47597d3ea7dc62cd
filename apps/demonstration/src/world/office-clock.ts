import type { Random } from '../random.ts'

const opensAt = 6.6
const closesAt = 14.4

/** The office hours of Cape Town, in UTC: weekdays from half past eight to half past four. */
export function officeClock(from: number, random: Random) {
  let at = nextWorking(from)
  return {
    /** Goes home, and begins with something else on the next working day. */
    nextMorning() {
      at = nextWorking(Math.floor(at / dayMs) * dayMs + dayMs + (opensAt + random.next()) * hourMs)
    },
    /** Advances by this many seconds of work; what does not fit into a day continues on the next. */
    after(least: number, most: number) {
      at = nextWorking(at + Math.round((least + random.next() * (most - least)) * 1_000))
      return at
    },
  }
}

export type OfficeClock = ReturnType<typeof officeClock>

/** The same moment, or the next morning of a working day. */
function nextWorking(at: number) {
  const midnight = Math.floor(at / dayMs) * dayMs
  const isWeekend = [0, 6].includes(new Date(at).getUTCDay())
  if (isWeekend || at >= midnight + closesAt * hourMs) return nextWorking(midnight + dayMs + opensAt * hourMs)
  return Math.max(at, midnight + opensAt * hourMs)
}

/** A time of day (UTC) this many days ago, or on the working day before. */
export function workingMoment(now: Date, { daysAgo, at }: { daysAgo: number; at: string }) {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - daysAgo)
  const weekday = new Date(midnight).getUTCDay()
  const back = weekday === 0 ? 2 : Number(weekday === 6)
  return midnight - back * dayMs + hours * hourMs + minutes * 60_000
}

const hourMs = 3_600_000
const dayMs = 86_400_000

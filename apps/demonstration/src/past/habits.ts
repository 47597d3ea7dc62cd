import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'
import { holderFacts, holderOf } from '@portcullis/domain/decision/holder-facts'
import type { Credential, Door } from '@portcullis/domain/policy'
import { siteCalendarAround } from '@portcullis/domain/decision/site-calendar'
import { listsOf } from '../policy-lists.ts'
import type { Random } from '../random.ts'
import type { Swipe } from '../swipe.ts'
import type { PolicyInTime } from './policy-in-time.ts'
import type { Turn } from './turn.ts'
import { turns } from './turns.ts'

export type PastSwipe = Swipe & { at: number }

type HabitualSwipesInput = { policies: PolicyInTime; now: Date; days: number; random: Random }

/** The presented cards of the past days, with door and time: users arrive, have lunch and leave. */
export function habitualSwipes({ policies, now, days, random }: HabitualSwipesInput): PastSwipe[] {
  const { index } = policies.at(now.getTime())
  const doors = new Map(listsOf(index).doors.map((door) => [door.name, door]))
  return turns.flatMap((turn) => {
    const gate = doors.get(turn.gate)
    const site = gate && index.sites.get(gate.site)
    if (!site) throw new Error(`the turn of ${turn.group} begins at ${turn.gate}, which is not there`)
    const inside = turn.inside.flatMap((name) => doors.get(name) ?? [])
    const members = listsOf(index).userGroups.find(({ name }) => name === turn.group)?.members ?? []
    const habits = members.map((member) => ({ member, earlierMs: random.around(0, turn.spreadMinutes * minuteMs) }))
    return daysOf(turn, { now, days, timeZone: site.timeZone }).flatMap(({ day, span }) => {
      const then = policies.at(span.from)
      const isFree = isHoliday(siteCalendarAround(then.index, site, span.from), day)
      const attendance = isFree ? attendanceOnHolidays : turn.attendance
      return habits.flatMap(({ member, earlierMs }) => {
        if (!random.chance(attendance)) return []
        const number = random.pick(usable({ index: then.index, member, at: span.from }))?.number
        if (number === undefined) return []
        const own = { ...span, from: span.from - earlierMs, until: span.until - earlierMs / 2 }
        return visitsOf({ turn, gate, inside, span: own, random }).flatMap(({ door, at, direction }): PastSwipe[] => {
          const { unit, unitDoor } = door
          return unit === null || unitDoor === null ? [] : [{ unit, unitDoor, number, direction, at: Math.round(at) }]
        })
      })
    })
  })
}

const attendanceOnHolidays = 0.06

type Days = { now: Date; days: number; timeZone: string }

/** The days on which a turn begins, each with its hours. */
function daysOf(turn: Turn, { now, days, timeZone }: Days) {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate()
  const [newest, oldest] = turn.daysAgo ?? [0, days]
  return Array.from({ length: oldest - newest + 1 }, (_, ago) => today.subtract({ days: ago + newest }))
    .filter(({ dayOfWeek }) => turn.days.includes(dayOfWeek))
    .map((day) => ({ day, span: spanOf({ turn, day, timeZone }) }))
}

/** The credential that a user may present at this moment: an inactive card is denied once, not every day. */
function usable({ index, member, at }: { index: PolicyIndex; member: string; at: number }): Credential[] {
  return (index.credentialsOfUser.get(member) ?? []).filter((credential) => {
    const holder = holderOf(index, credential)
    if (credential.status !== 'active' || holder?.status !== 'active') return false
    const { recertification } = holderFacts(index, holder)
    const isCertified = !recertification.enforced || Date.parse(recertification.by ?? '') > at
    return isCertified && isValid(credential, at) && isValid(holder, at)
  })
}

function isValid({ validFrom, validUntil }: Pick<Credential, 'validFrom' | 'validUntil'>, at: number) {
  return (validFrom === null || Date.parse(validFrom) <= at) && (validUntil === null || at < Date.parse(validUntil))
}

type Calendar = ReturnType<typeof siteCalendarAround>

function isHoliday(calendar: Calendar, day: Temporal.PlainDate) {
  return calendar?.holidays[day.toString()]?.some(({ kind }) => kind !== 'special') ?? false
}

type Span = { from: number; until: number; midday: number }

function spanOf({ turn, day, timeZone }: { turn: Turn; day: Temporal.PlainDate; timeZone: string }): Span {
  const at = (date: Temporal.PlainDate, time: string) =>
    date.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds
  const lastDay = turn.until <= turn.from ? day.add({ days: 1 }) : day
  return { from: at(day, turn.from), until: at(lastDay, turn.until), midday: at(day, '12:25') }
}

type Visit = { door: Door; at: number; direction: 'entry' | 'exit' }
type VisitsInput = { turn: Turn; gate: Door; inside: readonly Door[]; span: Span; random: Random }

function visitsOf({ turn, gate, inside, span, random }: VisitsInput): Visit[] {
  const arrival = random.around(span.from, 4 * minuteMs)
  const departure = random.around(span.until, 9 * minuteMs)
  const visits: Visit[] = [{ door: gate, at: arrival, direction: 'entry' }]
  const count = Math.max(0, Math.round(random.around(turn.visits, 0.6)))
  for (let visit = 0; visit < count; visit++) {
    const door = random.pick(inside)
    const at = arrival + 3 * minuteMs + random.next() * (departure - arrival - 6 * minuteMs)
    if (door) visits.push({ door, at, direction: door.directions.exit && random.chance(0.3) ? 'exit' : 'entry' })
  }
  if (!gate.directions.exit) return visits
  if (turn.hasLunch && random.chance(0.3)) {
    const out = random.around(span.midday, 15 * minuteMs)
    visits.push({ door: gate, at: out, direction: 'exit' })
    visits.push({ door: gate, at: out + random.around(34, 6) * minuteMs, direction: 'entry' })
  }
  if (random.chance(0.8)) visits.push({ door: gate, at: departure, direction: 'exit' })
  return visits
}

const minuteMs = 60_000

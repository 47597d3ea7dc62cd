import type { PolicyIndex } from '@portcullis/domain/gather-facts'
import type { Door } from '@portcullis/domain/policy'
import { siteCalendarAround } from '@portcullis/domain/site-calendar'
import type { Random } from '../random.ts'
import { decisionOn, type Swipe } from '../swipe.ts'
import { type Turn, turns } from './turns.ts'

export type PastSwipe = Swipe & { at: number }

type Asked = { index: PolicyIndex; now: Date; days: number; random: Random }

/** Who presented a card where and when in the days before now, as people come, have lunch, and leave. */
export function weekOfSwipes({ index, now, days, random }: Asked): PastSwipe[] {
  const swipes: PastSwipe[] = []
  const doors = new Map(index.policy.doors.map((door) => [door.name, door]))
  for (const turn of turns) {
    const gate = doors.get(turn.gate)
    const site = gate && index.sites.get(gate.site)
    if (!site) continue
    const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(site.timeZone).toPlainDate()
    const inside = turn.inside.flatMap((name) => doors.get(name) ?? [])
    for (const card of workingCards({ index, turn, gate, now })) {
      for (
        let day = today.subtract({ days });
        Temporal.PlainDate.compare(day, today) <= 0;
        day = day.add({ days: 1 })
      ) {
        if (!turn.days.includes(day.dayOfWeek)) continue
        const isFree = isHoliday(siteCalendarAround(index, site, now.getTime()), day)
        if (!random.chance(isFree ? attendanceOnHolidays : turn.attendance)) continue
        const span = spanOf({ turn, day, timeZone: site.timeZone })
        for (const { door, ...visit } of visitsOf({ turn, gate, inside, span, random })) {
          const { unit, unitDoor } = door
          if (unit !== null && unitDoor !== null) swipes.push({ ...visit, unit, unitDoor, number: card })
        }
      }
    }
  }
  return swipes
}

const attendanceOnHolidays = 0.06

/** One working card of each of the group's members who may use one: the others are turned away once, not every day. */
function workingCards({ index, turn, gate, now }: { index: PolicyIndex; turn: Turn; gate: Door; now: Date }) {
  const group = index.policy.userGroups.find(({ name }) => name === turn.group)
  return (group?.members ?? []).flatMap((member) => {
    const card = (index.credentialsOfUser.get(member) ?? []).find(({ number }) => {
      if (gate.unit === null || gate.unitDoor === null) return false
      const swipe = { unit: gate.unit, unitDoor: gate.unitDoor, number, direction: 'entry' as const }
      const { findings } = decisionOn(index, swipe, now.getTime())
      return findings.every(({ step, outcome }) => (step !== 'credential' && step !== 'holder') || outcome === 'passed')
    })
    return card ? [card.number] : []
  })
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
type VisitsAsked = { turn: Turn; gate: Door; inside: readonly Door[]; span: Span; random: Random }

function visitsOf({ turn, gate, inside, span, random }: VisitsAsked): Visit[] {
  const arrival = random.around(span.from, 7 * minuteMs)
  const departure = random.around(span.until, 14 * minuteMs)
  const visits: Visit[] = [{ door: gate, at: arrival, direction: 'entry' }]
  const count = Math.round(random.around(turn.visits, 0.6))
  for (let visit = 0; visit < count; visit++) {
    const door = random.pick(inside)
    const at = arrival + 3 * minuteMs + random.next() * (departure - arrival - 6 * minuteMs)
    if (door) visits.push({ door, at, direction: door.directions.exit && random.chance(0.35) ? 'exit' : 'entry' })
  }
  if (!gate.directions.exit) return visits
  if (turn.hasLunch && random.chance(0.45)) {
    const out = random.around(span.midday, 15 * minuteMs)
    visits.push({ door: gate, at: out, direction: 'exit' })
    visits.push({ door: gate, at: out + random.around(34, 6) * minuteMs, direction: 'entry' })
  }
  if (random.chance(0.8)) visits.push({ door: gate, at: departure, direction: 'exit' })
  return visits
}

const minuteMs = 60_000

import type { ScheduleFacts } from '../decision/access-facts.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { type Adhoc, type HolidayKind, holidayKinds, type Rule, type RuleDirection } from '../policy.ts'
import type { ScheduleTable } from '../time/schedule-table.ts'
import { joinedSpans, subtractSpans } from '../time/spans.ts'
import type { Span } from '../time/zone.ts'

/**
 * Whether the times and directions of the first rule are among those of the second, at every site and on every day, also
 * on holidays not yet entered. Times that only happen to be covered may count as not covered.
 */
export function areTimesCovered(index: PolicyIndex, rule: Rule, by: Rule): boolean {
  return (
    isDirectionCovered(rule.direction, by.direction) &&
    isBoxCovered(rule.adhoc, by.adhoc) &&
    isScheduleCovered(index, { rule, by })
  )
}

function isDirectionCovered(direction: RuleDirection, by: RuleDirection) {
  return by === 'both' || by === direction
}

function isBoxCovered(box: Adhoc | null, by: Adhoc | null) {
  if (by === null) return true
  if (box === null) return false
  return Date.parse(by.from) <= Date.parse(box.from) && Date.parse(box.until) <= Date.parse(by.until)
}

function isScheduleCovered({ schedules }: PolicyIndex, { rule, by }: { rule: Rule; by: Rule }) {
  if (by.schedule === null) return true
  if (rule.schedule === null) return false
  const [table, wider] = [tableOf(schedules.get(rule.schedule)), tableOf(schedules.get(by.schedule))]
  // A deny rule with a missing schedule denies at all times.
  if (wider === null) return by.effect === 'deny'
  if (table === null) return false
  const areHolidaysCovered = holidayKinds.every((kind) => isHolidayCovered(kind, { rule, by, table, wider }))
  return areHolidaysCovered && subtractSpans(weekOf(table), weekOf(wider)).length === 0
}

function tableOf(facts: ScheduleFacts | undefined) {
  return facts?.table ?? null
}

type Tables = { rule: Rule; by: Rule; table: ScheduleTable; wider: ScheduleTable }

/** A holiday that closes a schedule ends an allow rule for the day, and extends a deny rule to all of it. */
function isHolidayCovered(kind: HolidayKind, { rule, by, table, wider }: Tables) {
  const [hours, others] = [table.holidayHours[kind], wider.holidayHours[kind]]
  if (JSON.stringify(hours) === JSON.stringify(others)) return true
  return rule.effect === 'allow' && (hours === 'closed' || (by.effect === 'deny' && others === 'closed'))
}

const weeks = new WeakMap<ScheduleTable, readonly Span[]>()

/** The open minutes of a week. A Sunday's window that reaches into Monday continues at its start. */
function weekOf(table: ScheduleTable): readonly Span[] {
  const week = weeks.get(table) ?? joinedWeek(table)
  weeks.set(table, week)
  return week
}

function joinedWeek({ windows }: ScheduleTable) {
  return joinedSpans(
    windows.flatMap(({ day, from, until }) => {
      const midnight = (day - 1) * minutesADay
      const end = midnight + until
      return [
        { from: midnight + from, until: Math.min(end, minutesAWeek) },
        ...(end > minutesAWeek ? [{ from: 0, until: end - minutesAWeek }] : []),
      ]
    }),
  )
}

const minutesADay = 1440
const minutesAWeek = 7 * minutesADay

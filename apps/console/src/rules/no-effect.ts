import type { HolidayHours, HolidayKind, Rule, Window } from '@portcullis/domain/policy'

type NoEffectRule = Pick<Rule, 'effect' | 'who' | 'where' | 'adhoc'>
type Hours = { windows: readonly Window[]; holidayHours: Readonly<Record<HolidayKind, HolidayHours>> }

export type NoEffect = 'who' | 'where' | 'schedule' | 'ended'

type NoEffectOfInput = {
  rule: NoEffectRule
  /** The rule's schedule; undefined if it has none, or it is unknown. */
  schedule: Hours | undefined
  /** Whether a group is known to have no member. */
  isEmpty: (id: string) => boolean
  now: Date
}

/** Why a rule has no effect, if so. A deny rule whose schedule has no hours still applies on holidays that close it. */
export function noEffectOf({ rule, schedule, isEmpty, now }: NoEffectOfInput): NoEffect | undefined {
  if (rule.who.every(({ id }) => isEmpty(id))) return 'who'
  if (rule.where.every(({ id }) => isEmpty(id))) return 'where'
  if (rule.adhoc && Date.parse(rule.adhoc.until) <= now.getTime()) return 'ended'
  if (schedule && isNeverOpen(schedule) && !(rule.effect === 'deny' && closesOnHolidays(schedule))) return 'schedule'
  return undefined
}

export function isNeverOpen({ windows, holidayHours }: Hours): boolean {
  return windows.length === 0 && Object.values(holidayHours).every((hours) => typeof hours === 'string')
}

function closesOnHolidays({ holidayHours }: Hours) {
  return Object.values(holidayHours).includes('closed')
}

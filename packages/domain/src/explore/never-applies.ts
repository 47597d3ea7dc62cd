import { usersNamedBy } from '../decision/applying-rules.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { siteCalendarAround } from '../decision/site-calendar.ts'
import { holidayKinds, type Rule } from '../policy.ts'
import type { NeverAppliesReason } from './never-applies-reasons.ts'
import { appliesAtReader } from './openings.ts'
import type { ReviewSteps } from './review-steps.ts'
import type { ruleExtents } from './rule-extent.ts'

type Input = {
  readonly at: number
  readonly steps: ReviewSteps
  readonly extents: Pick<ReturnType<typeof ruleExtents>, 'whoKey' | 'whereKey' | 'doorsOf'>
}

/** Finds why a rule never applies from an instant on, if so. */
export function neverApplies(index: PolicyIndex, { at, steps, extents }: Input) {
  const [users, places] = [new Map<string, boolean>(), new Map<string, NeverAppliesReason | 'some'>()]

  return function* reasonOf(rule: Rule): Generator<undefined, NeverAppliesReason | undefined> {
    if (!(yield* hasUser(rule))) return 'who'
    const place = yield* placeOf(rule)
    if (place !== 'some') return place
    if (rule.adhoc && Date.parse(rule.adhoc.until) <= at) return 'ended'
    if (!isWithoutHours(index, rule)) return undefined
    return rule.effect === 'deny' && (yield* namesDoorWithoutCalendar(rule)) ? undefined : 'schedule'
  }

  /** At a door without a site or with an unknown time zone, a deny rule applies at all times. */
  function* namesDoorWithoutCalendar(rule: Rule) {
    for (const door of extents.doorsOf(rule)) {
      yield* steps.take()
      const site = index.sites.get(door.site)
      if (site === undefined || siteCalendarAround(index, site, at) === undefined) return true
    }
    return false
  }

  /** Whether it names a user with a membership that has not ended. */
  function* hasUser(rule: Rule) {
    const key = extents.whoKey(rule)
    const known = users.get(key)
    if (known !== undefined) return known
    let isFound = false
    for (const user of usersNamedBy(index, rule)) {
      yield* steps.take()
      const memberships = index.membershipsOfUser.get(user) ?? []
      isFound = memberships.some(({ validUntil }) => validUntil === null || Date.parse(validUntil) > at)
      if (isFound) break
    }
    users.set(key, isFound)
    return isFound
  }

  function* placeOf(rule: Rule) {
    const key = `${extents.whereKey(rule)} ${rule.direction}`
    const known = places.get(key)
    if (known !== undefined) return known
    let place: NeverAppliesReason | 'some' = 'where'
    for (const door of extents.doorsOf(rule)) {
      yield* steps.take()
      place = appliesAtReader(rule, door) ? 'some' : 'reader'
      if (place === 'some') break
    }
    places.set(key, place)
    return place
  }
}

/** A missing schedule ends an allow rule, but no deny rule. A deny rule also applies on holidays that close its schedule. */
function isWithoutHours({ schedules }: PolicyIndex, { schedule, effect }: Rule) {
  if (schedule === null) return false
  const table = schedules.get(schedule)?.table ?? null
  if (table === null) return effect === 'allow'
  const onHolidays = holidayKinds.map((kind) => table.holidayHours[kind])
  const hasOwnHours = onHolidays.some((hours) => typeof hours !== 'string')
  const isClosedByHoliday = effect === 'deny' && onHolidays.includes('closed')
  return table.windows.length === 0 && !hasOwnHours && !isClosedByHoliday
}

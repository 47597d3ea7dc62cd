import type { AccessFacts, DoorFacts } from '../decision/access-facts.ts'
import { allowedTimes, deniedTimes, mayOpen } from './access-times.ts'
import { usersOfRule, rulesAtDoor, rulesForUserAtDoor } from '../decision/applying-rules.ts'
import { modeAt } from '../decision/door-mode.ts'
import { doorFacts } from '../decision/door-in-policy.ts'
import { scheduleFacts } from '../decision/gather-facts.ts'
import { type Direction, type Door, directions, type Rule } from '../policy.ts'
import { passGroupsOf } from '../decision/lockdown-exceptions.ts'
import { type LeftOutByUnit, nothingLeftOut } from '../decision/left-out.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { siteCalendarAround } from '../decision/site-calendar.ts'
import { type PresentableFinder, presentableFinder } from './presentable.ts'
import { stepSize } from '../steps.ts'
import { clippedSpans, joinedSpans, sharedSpans, subtractSpans } from '../time/spans.ts'
import { dayMs, type Span } from '../time/zone.ts'

/** How far ahead openings are searched. */
export const openingHorizonMs = 56 * dayMs

/** Epoch milliseconds; the end is null if it is beyond the horizon. */
export type Opening = { readonly from: number; readonly until: number | null }

/**
 * The users who can open a door from an instant on: all users with an enabled allow rule at one of its readers, each
 * with the first period in which one of their credentials opens it, or null if there is none within the horizon. A PIN
 * and an approval are ignored. In short steps, because there can be many users.
 */
export function* usersAtDoor(
  index: PolicyIndex,
  { door, at, leftOut }: { door: Door; at: number; leftOut?: LeftOutByUnit },
): Generator<undefined, Map<string, Opening | null>> {
  const openings = openingFinder(index, { at, leftOut })
  const rulesOf = new Map<string, RuleSet>()
  const allowed = new Map<string, Opening | null>()
  let count = 0
  for (const rule of rulesAtDoor(index, door).filter((each) => appliesAtReader(each, door))) {
    for (const user of usersOfRule(index, rule)) {
      if (++count % stepSize === 0) yield
      rulesOf.set(user, openings.withRule(rulesOf.get(user), rule))
      if (rule.effect === 'allow') allowed.set(user, null)
    }
  }
  for (const user of allowed.keys()) {
    if (++count % stepSize === 0) yield
    allowed.set(user, yield* openings.of({ user, door, rules: rulesOf.get(user) }))
  }
  return allowed
}

/** The reverse: the doors at which a user has an allow rule. */
export function* doorsOfUser(
  index: PolicyIndex,
  { user, at, leftOut }: { user: string; at: number; leftOut?: LeftOutByUnit },
): Generator<undefined, Map<string, Opening | null>> {
  const openings = openingFinder(index, { at, leftOut })
  const found = new Map<string, Opening | null>()
  for (const door of index.doors.values()) {
    yield
    const named = rulesForUserAtDoor(index, { user, door })
      .map(({ rule }) => rule)
      .filter((rule) => appliesAtReader(rule, door))
    if (!named.some(({ effect }) => effect === 'allow')) continue
    const rules = named.reduce<RuleSet | undefined>(openings.withRule, undefined)
    found.set(door._id, yield* openings.of({ user, door, rules }))
  }
  return found
}

type OpeningsAtDoor = {
  user: string
  door: Door
  at: number
  leftOut?: LeftOutByUnit
  presentable?: PresentableFinder
}
type DirectedOpening = { readonly direction: Direction; readonly opening: Opening | null }

/** A user's next opening of a door in each direction in which it has a reader. */
export function* openingsAtDoor(
  index: PolicyIndex,
  { user, door, at, leftOut, presentable }: OpeningsAtDoor,
): Generator<undefined, DirectedOpening[]> {
  const openings = openingFinder(index, { at, leftOut, presentable })
  const rules = rulesForUserAtDoor(index, { user, door }).reduce<RuleSet | undefined>(
    (set, { rule }) => openings.withRule(set, rule),
    undefined,
  )
  const found: DirectedOpening[] = []
  for (const direction of readersOf(door)) {
    found.push({ direction, opening: yield* openings.of({ user, door, rules, readers: [direction] }) })
  }
  return found
}

/** Whether a rule applies in a direction in which the door has a reader; otherwise it has no effect. */
export function appliesAtReader({ direction }: Pick<Rule, 'direction'>, door: Pick<Door, 'directions'>): boolean {
  const readers = readersOf(door)
  return direction === 'both' ? readers.length > 0 : readers.includes(direction)
}

/** The directions in which a door has a reader. */
export function readersOf({ directions: readers }: Pick<Door, 'directions'>): Direction[] {
  return directions.filter((direction) => readers[direction])
}

/** Some rules, as one more than a smaller set: users with the same rules share one set. */
export type RuleSet = {
  readonly smaller: RuleSet | undefined
  readonly rule: Rule | undefined
  readonly isDirected: boolean
  readonly larger: Map<Rule, RuleSet>
  readonly times: Map<string, readonly Span[]>
}

export type OpeningInput = {
  readonly user: string
  readonly door: Door
  readonly rules: RuleSet | undefined
  /** Absent: all readers of the door. */
  readonly readers?: readonly Direction[]
}

type OpeningAtDoorInput = Omit<OpeningInput, 'user'> & Pick<AccessFacts, 'passGroups'>

type OpeningFinder = {
  readonly at: number
  readonly leftOut?: LeftOutByUnit | undefined
  readonly presentable?: PresentableFinder | undefined
  readonly horizonMs?: number
}

/** Rules whose periods are joined at once. */
const mostUnjoined = 20
/** Others are computed again: a million periods take about 80 MB. */
const mostKeptSpans = 1_000_000

/** Computes the hours of each rule and each set of rules once, because a few rules can name thousands of users. */
export function openingFinder(
  index: PolicyIndex,
  {
    at,
    leftOut = nothingLeftOut,
    presentable = presentableFinder(index, at, leftOut),
    horizonMs = openingHorizonMs,
  }: OpeningFinder,
) {
  const span = { from: at, until: at + horizonMs }
  const none: RuleSet = { smaller: undefined, rule: undefined, isDirected: false, larger: new Map(), times: new Map() }
  const timesByRule = new Map<string, readonly Span[]>()
  let keptSpans = 0
  const factsOf = new Map<Door, DoorFacts>()
  return { withRule, of, timesOf, timesAtDoor }

  function keep(known: Map<string, readonly Span[]>, key: string, times: readonly Span[]) {
    if (keptSpans < mostKeptSpans) known.set(key, times)
    keptSpans += times.length
  }

  function withRule(smaller = none, rule: Rule): RuleSet {
    const isDirected = smaller.isDirected || rule.direction !== 'both'
    const made = smaller.larger.get(rule) ?? { smaller, rule, isDirected, larger: new Map(), times: new Map() }
    smaller.larger.set(rule, made)
    return made
  }

  function* of(input: OpeningInput): Generator<undefined, Opening | null> {
    return firstOf(yield* timesOf(input), span)
  }

  /** All periods within the horizon. */
  function* timesOf({ user, ...input }: OpeningInput): Generator<undefined, readonly Span[]> {
    const open = yield* timesAtDoor({ ...input, passGroups: passGroupsOf(index, { door: input.door, user }) })
    if (open.length === 0) return open
    const { times } = yield* presentable({ user, door: input.door })
    return within(open, times)
  }

  /** The same for any user whom the rules name, whatever they can present. */
  function* timesAtDoor({
    door,
    rules = none,
    readers = readersOf(door),
    passGroups,
  }: OpeningAtDoorInput): Generator<undefined, readonly Span[]> {
    const shutUntil = endOfShutMode(door, at)
    const facts = factsOf.get(door) ?? doorFacts(index, door, shutUntil === undefined ? modeAt(door, at) : 'normal')
    factsOf.set(door, facts)
    if (!mayOpen(facts, passGroups) || leftOut.get(door.unit ?? '')?.doors.includes(door._id)) return []
    const allowed: (readonly Span[])[] = []
    for (const direction of readers) allowed.push(yield* timesOfSet(rules, { door, direction }))
    const open = unionOf(allowed)
    return shutUntil === undefined ? open : clippedSpans(open, { ...span, from: shutUntil })
  }

  function* timesOfSet(set: RuleSet, { door, direction }: Reader): Generator<undefined, readonly Span[]> {
    const key = `${set.isDirected ? direction : 'both'} ${door.site} ${unitWithout(door)}`
    const cached = set.times.get(key)
    if (cached !== undefined) return cached
    const spans: Record<Rule['effect'], (readonly Span[])[]> = { allow: [], deny: [] }
    for (let each: RuleSet | undefined = set; each?.rule; each = each.smaller) {
      yield
      const found = spans[each.rule.effect]
      found.push(timesOfRule(each.rule, { door, direction }))
      // Thousands of rules may have thousands of periods each.
      if (found.length >= mostUnjoined) spans[each.rule.effect] = [joinedSpans(found.flat())]
    }
    const times = subtractSpans(joinedSpans(spans.allow.flat()), joinedSpans(spans.deny.flat()))
    keep(set.times, key, times)
    return times
  }

  /** The unit of a door if it leaves out schedules: at all others, the hours are the same. */
  function unitWithout({ unit }: Door) {
    return unit !== null && leftOut.get(unit)?.schedules.length ? unit : ''
  }

  function timesOfRule(rule: Rule, { door, direction }: Reader): readonly Span[] {
    const key = `${rule._id} ${direction} ${door.site} ${unitWithout(door)}`
    const cached = timesByRule.get(key)
    if (cached !== undefined) return cached
    const site = index.sites.get(door.site)
    const around = { calendar: site && siteCalendarAround(index, site, at), direction, span }
    const facts = { ...rule, schedule: scheduleFacts(index, rule, leftOut.get(door.unit ?? '')) }
    const times = rule.effect === 'allow' ? allowedTimes(facts, around) : deniedTimes(facts, around)
    keep(timesByRule, key, times)
    return times
  }
}

/** When the mode of a blocked or locked-down door ends on its own; undefined if it does not, or the door is neither. */
function endOfShutMode(door: Door, at: number) {
  const mode = modeAt(door, at)
  const isShut = mode === 'blocked' || mode === 'lockdown'
  return isShut && door.modeUntil ? Date.parse(door.modeUntil) : undefined
}

type Reader = { readonly door: Door; readonly direction: Direction }

function unionOf(sets: readonly (readonly Span[])[]): readonly Span[] {
  const [only = [], ...others] = new Set(sets)
  return others.length === 0 ? only : joinedSpans([only, ...others].flat())
}

/** Most users have one valid period. */
function within(spans: readonly Span[], times: readonly Span[]): readonly Span[] {
  const [only, ...others] = times
  if (only === undefined) return []
  return others.length === 0 ? clippedSpans(spans, only) : sharedSpans(spans, times)
}

function firstOf([first]: readonly Span[], horizon: Span): Opening | null {
  if (first === undefined) return null
  return { from: first.from, until: first.until >= horizon.until ? null : first.until }
}

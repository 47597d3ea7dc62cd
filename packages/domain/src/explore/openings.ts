import { type DoorFacts, stateNotChecked } from '../decision/access-facts.ts'
import { allowedTimes, deniedTimes, limitToHolder } from './access-times.ts'
import { usersOfRule, rulesAtDoor, rulesForUserAtDoor } from '../decision/applying-rules.ts'
import { modeAt } from '../decision/door-mode.ts'
import { credentialFacts, doorFacts, scheduleFacts } from '../decision/gather-facts.ts'
import { holderFacts, holderOf } from '../decision/holder-facts.ts'
import { type Credential, type Direction, type Door, directions, type Rule } from '../policy.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { accountOfReader, presentedCredential } from '../decision/presented-credential.ts'
import { siteCalendarAround } from '../decision/site-calendar.ts'
import { clippedSpans, joinedSpans, subtractSpans } from '../time/spans.ts'
import { dayMs, type Span } from '../time/zone.ts'

/** How far ahead openings are searched. */
export const openingHorizonMs = 56 * dayMs

/** Epoch milliseconds; the end is null if it is beyond the horizon. */
export type Opening = { readonly from: number; readonly until: number | null }

/**
 * The users who can open a door from an instant on: all users with an enabled allow rule at one of its readers, each
 * with the first period in which one of their credentials opens it, or null if there is none within the horizon. A PIN
 * and an approval are ignored. A generator, because there can be many users.
 */
export function* usersAtDoor(
  index: PolicyIndex,
  { door, at }: { door: Door; at: number },
): Generator<readonly [user: string, opening: Opening | null]> {
  const openings = openingFinder(index, at)
  const rulesOf = new Map<string, RuleSet>()
  const allowed = new Set<string>()
  for (const rule of rulesAtDoor(index, door).filter((each) => appliesAtReader(each, door))) {
    for (const user of usersOfRule(index, rule)) {
      rulesOf.set(user, openings.withRule(rulesOf.get(user), rule))
      if (rule.effect === 'allow') allowed.add(user)
    }
  }
  for (const user of allowed) yield [user, openings.of({ user, door, rules: rulesOf.get(user) })]
}

/** The reverse: the doors at which a user has an allow rule. */
export function doorsOfUser(
  index: PolicyIndex,
  { user, at }: { user: string; at: number },
): Map<string, Opening | null> {
  const openings = openingFinder(index, at)
  const found = new Map<string, Opening | null>()
  for (const door of index.doors.values()) {
    const named = rulesForUserAtDoor(index, { user, door })
      .map(({ rule }) => rule)
      .filter((rule) => appliesAtReader(rule, door))
    if (!named.some(({ effect }) => effect === 'allow')) continue
    const rules = named.reduce<RuleSet | undefined>(openings.withRule, undefined)
    found.set(door._id, openings.of({ user, door, rules }))
  }
  return found
}

/** A user's next opening of a door in each direction in which it has a reader. */
export function openingsAtDoor(index: PolicyIndex, { user, door, at }: { user: string; door: Door; at: number }) {
  const openings = openingFinder(index, at)
  const rules = rulesForUserAtDoor(index, { user, door }).reduce<RuleSet | undefined>(
    (set, { rule }) => openings.withRule(set, rule),
    undefined,
  )
  return readersOf(door).map((direction) => ({
    direction,
    opening: openings.of({ user, door, rules, readers: [direction] }),
  }))
}

/**
 * The credentials that identify a user at a door: a number may identify a credential of an account nearer to the
 * reader. PINs do not count.
 */
export function presentableAt(index: PolicyIndex, { user, door }: { user: string; door: Door }): Credential[] {
  const account = accountOfReader(index, door)
  return (index.credentialsOfUser.get(user) ?? []).filter(
    (credential) =>
      credential.kind !== 'pin' && presentedCredential(index, { account, number: credential.number }) === credential,
  )
}

/** Whether a rule applies in a direction in which the door has a reader; otherwise it has no effect. */
export function appliesAtReader({ direction }: Rule, door: Door): boolean {
  const readers = readersOf(door)
  return direction === 'both' ? readers.length > 0 : readers.includes(direction)
}

/** The directions in which a door has a reader. */
export function readersOf({ directions: readers }: Door): Direction[] {
  return directions.filter((direction) => readers[direction])
}

/** A list of rules in the order found; users with the same rules share one set. */
type RuleSet = {
  readonly rules: readonly Rule[]
  readonly larger: Map<Rule, RuleSet>
  readonly times: Map<string, readonly Span[]>
}

type OpeningInput = {
  readonly user: string
  readonly door: Door
  readonly rules: RuleSet | undefined
  /** Absent: all readers of the door. */
  readonly readers?: readonly Direction[]
}

/** Computes the hours of each rule and each set of rules once, because a few rules can name thousands of users. */
function openingFinder(index: PolicyIndex, at: number) {
  const span = { from: at, until: at + openingHorizonMs }
  const none: RuleSet = emptySet([])
  const timesOf = new Map<string, readonly Span[]>()
  const factsOf = new Map<Door, DoorFacts>()
  return { withRule, of }

  function withRule(set: RuleSet | undefined, rule: Rule): RuleSet {
    const { rules, larger } = set ?? none
    const made = larger.get(rule) ?? emptySet([...rules, rule])
    larger.set(rule, made)
    return made
  }

  function of({ user, door, rules = none, readers = readersOf(door) }: OpeningInput): Opening | null {
    const shutUntil = endOfShutMode(door, at)
    const facts = factsOf.get(door) ?? doorFacts(index, door, shutUntil === undefined ? modeAt(door, at) : 'normal')
    factsOf.set(door, facts)
    const given = new Set(readers.map((direction) => timesOfSet(rules, { door, direction })))
    const times = presentableAt(index, { user, door }).flatMap((credential) => {
      const holder = holderOf(index, credential)
      const person = {
        door: facts,
        state: stateNotChecked,
        credential: credentialFacts(credential, holder),
        holder: holder && holderFacts(index, holder),
      }
      const times = [...given].map((each) => limitToHolder(each, person))
      return shutUntil === undefined ? times : times.map((each) => clippedSpans(each, { ...span, from: shutUntil }))
    })
    return firstOf(times, span)
  }

  function timesOfSet(set: RuleSet, { door, direction }: Reader): readonly Span[] {
    const isDirected = set.rules.some((rule) => rule.direction !== 'both')
    const key = `${isDirected ? direction : 'both'} ${door.site}`
    const cached = set.times.get(key)
    if (cached !== undefined) return cached
    const of = (effect: Rule['effect']) =>
      joinedSpans(set.rules.flatMap((rule) => (rule.effect === effect ? timesOfRule(rule, { door, direction }) : [])))
    const times = subtractSpans(of('allow'), of('deny'))
    set.times.set(key, times)
    return times
  }

  function timesOfRule(rule: Rule, { door, direction }: Reader): readonly Span[] {
    const key = `${rule._id} ${direction} ${door.site}`
    const cached = timesOf.get(key)
    if (cached !== undefined) return cached
    const site = index.sites.get(door.site)
    const around = { calendar: site && siteCalendarAround(index, site, at), direction, span }
    const facts = { ...rule, schedule: scheduleFacts(index, rule) }
    const times = rule.effect === 'allow' ? allowedTimes(facts, around) : deniedTimes(facts, around)
    timesOf.set(key, times)
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

function emptySet(rules: readonly Rule[]): RuleSet {
  return { rules, larger: new Map(), times: new Map() }
}

/** The first period of the union of several sets of times. */
function firstOf(sets: readonly (readonly Span[])[], within: Span): Opening | null {
  const [only, ...others] = new Set(sets)
  const [first] = others.length === 0 ? (only ?? []) : joinedSpans([...(only ?? []), ...others.flat()])
  if (first === undefined) return null
  return { from: first.from, until: first.until >= within.until ? null : first.until }
}

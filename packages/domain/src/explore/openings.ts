import { type DoorFacts, stateNotAsked } from '../decision/access-facts.ts'
import { allowedTimes, deniedTimes, timesOfPerson } from './access-times.ts'
import { peopleOfRule, rulesAtDoor, rulesNaming } from '../decision/applying-rules.ts'
import { modeAt } from '../decision/door-mode.ts'
import { credentialFacts, doorFacts, scheduleFacts } from '../decision/gather-facts.ts'
import { holderFacts, holderOf } from '../decision/holder-facts.ts'
import { type Credential, type Direction, type Door, directions, type Rule } from '../policy.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { accountOfReader, presentedCredential } from '../decision/presented-credential.ts'
import { siteCalendarAround } from '../decision/site-calendar.ts'
import { clippedSpans, joinedSpans, spansWithout } from '../time/spans.ts'
import { dayMs, type Span } from '../time/zone.ts'

/** How far ahead an opening is looked for. */
export const openingHorizonMs = 56 * dayMs

/** Epoch milliseconds; no end where it lies beyond the horizon. */
export type Opening = { readonly from: number; readonly until: number | null }

/**
 * Who can open a door from an instant on, and since when: everybody whom an enabled rule lets in at one of its readers, with the
 * first stretch of time in which one of their credentials opens it; null where there is none within the horizon.
 * A PIN and an approval are left out of account. Told one by one, for at the gate of a great house they are many.
 */
export function* peopleAtDoor(
  index: PolicyIndex,
  { door, at }: { door: Door; at: number },
): Generator<readonly [user: string, opening: Opening | null]> {
  const openings = openingFinder(index, at)
  const rulesOf = new Map<string, RuleSet>()
  const letIn = new Set<string>()
  for (const rule of rulesAtDoor(index, door).filter((each) => holdsAtReader(each, door))) {
    for (const user of peopleOfRule(index, rule)) {
      rulesOf.set(user, openings.withRule(rulesOf.get(user), rule))
      if (rule.effect === 'allow') letIn.add(user)
    }
  }
  for (const user of letIn) yield [user, openings.of({ user, door, rules: rulesOf.get(user) })]
}

/** The same the other way round: the doors at which rules let a person in. */
export function doorsOfPerson(
  index: PolicyIndex,
  { user, at }: { user: string; at: number },
): Map<string, Opening | null> {
  const openings = openingFinder(index, at)
  const found = new Map<string, Opening | null>()
  for (const door of index.policy.doors) {
    const named = rulesNaming(index, { user, door })
      .map(({ rule }) => rule)
      .filter((rule) => holdsAtReader(rule, door))
    if (!named.some(({ effect }) => effect === 'allow')) continue
    const rules = named.reduce<RuleSet | undefined>(openings.withRule, undefined)
    found.set(door._id, openings.of({ user, door, rules }))
  }
  return found
}

/** When a person can next open a door in each direction in which it has a reader. */
export function openingsAtDoor(index: PolicyIndex, { user, door, at }: { user: string; door: Door; at: number }) {
  const openings = openingFinder(index, at)
  const rules = rulesNaming(index, { user, door }).reduce<RuleSet | undefined>(
    (set, { rule }) => openings.withRule(set, rule),
    undefined,
  )
  return readersOf(door).map((direction) => ({
    direction,
    opening: openings.of({ user, door, rules, readers: [direction] }),
  }))
}

/** The credentials of a person that mean them at a door: a number may belong to somebody nearer to its reader. PINs identify nobody. */
export function presentableAt(index: PolicyIndex, { user, door }: { user: string; door: Door }): Credential[] {
  const account = accountOfReader(index, door)
  return (index.credentialsOfUser.get(user) ?? []).filter(
    (credential) =>
      credential.kind !== 'pin' && presentedCredential(index, { account, number: credential.number }) === credential,
  )
}

/** Whether a rule holds in a direction in which the door has a reader: where nobody can ask, it gives and takes nothing. */
export function holdsAtReader({ direction }: Rule, door: Door): boolean {
  const readers = readersOf(door)
  return direction === 'both' ? readers.length > 0 : readers.includes(direction)
}

/** The directions in which a door has a reader. */
export function readersOf({ directions: readers }: Door): Direction[] {
  return directions.filter((direction) => readers[direction])
}

/** Several rules, met in the same order: whoever is named by the same ones shares the same set. */
type RuleSet = {
  readonly rules: readonly Rule[]
  readonly larger: Map<Rule, RuleSet>
  readonly times: Map<string, readonly Span[]>
}

type Asked = {
  readonly user: string
  readonly door: Door
  readonly rules: RuleSet | undefined
  /** Absent: all that the door has. */
  readonly readers?: readonly Direction[]
}

/** Works the hours of each rule and of each set of rules out once: thousands of people are named by the same few. */
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

  function of({ user, door, rules = none, readers = readersOf(door) }: Asked): Opening | null {
    const shutUntil = endOfShutMode(door, at)
    const facts = factsOf.get(door) ?? doorFacts(index, door, shutUntil === undefined ? modeAt(door, at) : 'normal')
    factsOf.set(door, facts)
    const given = new Set(readers.map((direction) => timesOfSet(rules, { door, direction })))
    const times = presentableAt(index, { user, door }).flatMap((credential) => {
      const holder = holderOf(index, credential)
      const person = {
        door: facts,
        state: stateNotAsked,
        credential: credentialFacts(credential, holder),
        holder: holder && holderFacts(index, holder),
      }
      const times = [...given].map((each) => timesOfPerson(each, person))
      return shutUntil === undefined ? times : times.map((each) => clippedSpans(each, { ...span, from: shutUntil }))
    })
    return firstOf(times, span)
  }

  function timesOfSet(set: RuleSet, { door, direction }: Reader): readonly Span[] {
    const isDirected = set.rules.some((rule) => rule.direction !== 'both')
    const key = `${isDirected ? direction : 'both'} ${door.site}`
    const known = set.times.get(key)
    if (known !== undefined) return known
    const of = (effect: Rule['effect']) =>
      joinedSpans(set.rules.flatMap((rule) => (rule.effect === effect ? timesOfRule(rule, { door, direction }) : [])))
    const times = spansWithout(of('allow'), of('deny'))
    set.times.set(key, times)
    return times
  }

  function timesOfRule(rule: Rule, { door, direction }: Reader): readonly Span[] {
    const key = `${rule._id} ${direction} ${door.site}`
    const known = timesOf.get(key)
    if (known !== undefined) return known
    const site = index.sites.get(door.site)
    const around = { calendar: site && siteCalendarAround(index, site, at), direction, span }
    const facts = { ...rule, schedule: scheduleFacts(index, rule) }
    const times = rule.effect === 'allow' ? allowedTimes(facts, around) : deniedTimes(facts, around)
    timesOf.set(key, times)
    return times
  }
}

/** When a door that lets nobody in just now will do so again by itself. */
function endOfShutMode(door: Door, at: number) {
  const mode = modeAt(door, at)
  const isShut = mode === 'blocked' || mode === 'lockdown'
  return isShut && door.modeUntil ? Date.parse(door.modeUntil) : undefined
}

type Reader = { readonly door: Door; readonly direction: Direction }

function emptySet(rules: readonly Rule[]): RuleSet {
  return { rules, larger: new Map(), times: new Map() }
}

/** The first stretch that several sets of times cover together. */
function firstOf(sets: readonly (readonly Span[])[], within: Span): Opening | null {
  const [only, ...others] = new Set(sets)
  const [first] = others.length === 0 ? (only ?? []) : joinedSpans([...(only ?? []), ...others.flat()])
  if (first === undefined) return null
  return { from: first.from, until: first.until >= within.until ? null : first.until }
}

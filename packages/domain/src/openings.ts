import { type DoorFacts, type RuleFacts, stateNotAsked } from './access-facts.ts'
import { ruleTimes, timesOfPerson } from './access-times.ts'
import { peopleOfRule, rulesAtDoor, rulesNaming } from './applying-rules.ts'
import { credentialFacts, doorFacts, scheduleFacts } from './gather-facts.ts'
import { holderFacts, holderOf } from './holder-facts.ts'
import { type Credential, type Direction, type Door, directions, type Rule } from './policy.ts'
import type { PolicyIndex } from './policy-index.ts'
import { accountOfReader, presentedCredential } from './presented-credential.ts'
import { siteCalendarAround } from './site-calendar.ts'
import { joinedSpans } from './spans.ts'
import { dayMs, type Span } from './zone.ts'

/** How far ahead an opening is looked for. */
export const openingHorizonMs = 56 * dayMs

/** Epoch milliseconds; no end where it lies beyond the horizon. */
export type Opening = { readonly from: number; readonly until: number | null }

/**
 * Who can open a door from an instant on, and since when: everybody whom an enabled rule lets in there, with the first stretch
 * of time in which one of their credentials opens it at one of its readers; null where there is none within the horizon.
 * A PIN and an approval are left out of account.
 */
export function peopleAtDoor(
  index: PolicyIndex,
  { door, at }: { door: Door; at: number },
): Map<string, Opening | null> {
  const named = new Map<string, Rule[]>()
  const letIn = new Set<string>()
  for (const rule of rulesAtDoor(index, door)) {
    for (const user of peopleOfRule(index, rule)) {
      const rules = named.get(user)
      if (rules === undefined) named.set(user, [rule])
      else rules.push(rule)
      if (rule.effect === 'allow') letIn.add(user)
    }
  }
  const openingOf = openingFinder(index, at)
  return new Map([...letIn].map((user) => [user, openingOf({ user, door, rules: named.get(user) ?? [] })]))
}

/** The same the other way round: the doors at which rules let a person in. */
export function doorsOfPerson(
  index: PolicyIndex,
  { user, at }: { user: string; at: number },
): Map<string, Opening | null> {
  const openingOf = openingFinder(index, at)
  const found = new Map<string, Opening | null>()
  for (const door of index.policy.doors) {
    const rules = rulesNaming(index, { user, door }).map(({ rule }) => rule)
    if (rules.some(({ effect }) => effect === 'allow')) found.set(door._id, openingOf({ user, door, rules }))
  }
  return found
}

/** The credentials of a person that mean them at a door: a number may belong to somebody nearer to its reader. PINs identify nobody. */
export function presentableAt(index: PolicyIndex, { user, door }: { user: string; door: Door }): Credential[] {
  const account = accountOfReader(index, door)
  return (index.credentialsOfUser.get(user) ?? []).filter(
    (credential) =>
      credential.kind !== 'pin' && presentedCredential(index, { account, number: credential.number }) === credential,
  )
}

/** The directions in which a door has a reader. */
export function readersOf({ directions: readers }: Door): Direction[] {
  return directions.filter((direction) => readers[direction])
}

type Asked = { readonly user: string; readonly door: Door; readonly rules: readonly Rule[] }

/** Works the hours of each set of rules out once: thousands of people are named by the same few. */
function openingFinder(index: PolicyIndex, at: number) {
  const span = { from: at, until: at + openingHorizonMs }
  const known = new Map<string, readonly Span[]>()
  const doors = new Map<Door, { facts: DoorFacts; readers: readonly Direction[] }>()

  return function openingOf({ user, door, rules }: Asked): Opening | null {
    const { facts, readers } = knownDoor(door)
    const given = new Set(readers.map((direction) => timesOfRules({ door, rules, direction })))
    const times = presentableAt(index, { user, door }).flatMap((credential) => {
      const holder = holderOf(index, credential)
      const person = {
        door: facts,
        state: stateNotAsked,
        credential: credentialFacts(credential, holder),
        holder: holder && holderFacts(index, holder),
      }
      return [...given].map((each) => timesOfPerson(each, person))
    })
    return firstOf(times, span)
  }

  function knownDoor(door: Door) {
    const made = doors.get(door) ?? { facts: doorFacts(index, door), readers: readersOf(door) }
    doors.set(door, made)
    return made
  }

  function timesOfRules({ door, rules, direction }: Omit<Asked, 'user'> & { direction: Direction }) {
    const isDirected = rules.some((rule) => rule.direction !== 'both')
    const key = [door.site, isDirected ? direction : '', ...rules.map(({ _id }) => _id).sort()].join(' ')
    const times = known.get(key) ?? worked({ door, rules, direction })
    known.set(key, times)
    return times
  }

  function worked({ door, rules, direction }: Omit<Asked, 'user'> & { direction: Direction }) {
    const site = index.sites.get(door.site)
    const facts = rules.map((rule): readonly [Rule, RuleFacts] => [rule, factsOf(index, rule)])
    const of = (effect: Rule['effect']) => facts.flatMap(([rule, each]) => (rule.effect === effect ? [each] : []))
    const calendar = site && siteCalendarAround(index, site, at)
    return ruleTimes({ rules: { allow: of('allow'), deny: of('deny') }, calendar, direction }, span)
  }
}

function factsOf(index: PolicyIndex, rule: Rule): RuleFacts {
  const { _id, name, direction, adhoc } = rule
  return { _id, name, direction, adhoc, schedule: scheduleFacts(index, rule) }
}

/** The first stretch that several sets of times cover together. */
function firstOf(sets: readonly (readonly Span[])[], within: Span): Opening | null {
  const [only, ...others] = sets
  const [first] = others.length === 0 ? (only ?? []) : joinedSpans(sets.flat())
  if (first === undefined) return null
  return { from: first.from, until: first.until >= within.until ? null : first.until }
}

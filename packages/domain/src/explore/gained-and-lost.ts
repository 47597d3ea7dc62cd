import { doorsOfHoliday, doorsOfRule } from '../configuration/affected-units.ts'
import { rulesAtDoor, rulesForUserAtDoor, rulesNaming, usersNamedBy } from '../decision/applying-rules.ts'
import { type PolicyIndex, subjectKey } from '../decision/policy-index.ts'
import type { PolicyList } from '../decision/update-index.ts'
import type { LeftOutByUnit } from '../decision/left-out.ts'
import type { Direction, Door, Rule, RuleDirection } from '../policy.ts'
import { stepSize } from '../steps.ts'
import { areSameSpans, subtractSpans } from '../time/spans.ts'
import type { Span } from '../time/zone.ts'
import { openingFinder, type RuleSet } from './openings.ts'

/** A policy before and after a change. */
export type PolicyChange = { readonly before: PolicyIndex; readonly index: PolicyIndex }
type ChangedItem = { readonly list: PolicyList; readonly id: string }

/** The periods in which a user can open a door only after the change, or only before it. Equal periods are one object. */
export type AccessChange = {
  readonly user: string
  readonly door: string
  /** `both`: the same periods in both directions. */
  readonly direction: RuleDirection
  readonly times: readonly Span[]
}
export type GainedAndLost = { readonly gained: readonly AccessChange[]; readonly lost: readonly AccessChange[] }

type Question = {
  readonly items: readonly ChangedItem[]
  /** Epoch milliseconds. */
  readonly at: number
  /** How many pairs of a user and a door are examined at most. */
  readonly most?: number
  /** What the units have no room for, before and after; absent: everything fits. */
  readonly leftOut?: { readonly before: LeftOutByUnit; readonly after: LeftOutByUnit }
  /** The accounts whose users and doors count; absent: all. */
  readonly accounts?: ReadonlySet<string>
}

/**
 * Who can open which doors at more or fewer times after a change of these items, from an instant on for eight weeks. It is the
 * difference between what the explorer says before and after. In short steps. Undefined if it concerns too many pairs, or
 * an account.
 */
export function* gainedAndLost(
  change: PolicyChange,
  { items, at, most = Number.POSITIVE_INFINITY, accounts, leftOut }: Question,
): Generator<undefined, GainedAndLost | undefined> {
  // Recertification concerns all users of an account and of those below.
  if (items.some(({ list }) => list === 'accounts')) return undefined
  const pairs = yield* pairsOf(change, { items, most, accounts })
  if (pairs === undefined) return undefined
  const was = timesIn(change.before, { at, leftOut: leftOut?.before })
  const is = timesIn(change.index, { at, leftOut: leftOut?.after })
  const differences = differenceFinder()
  const [gained, lost]: [AccessChange[], AccessChange[]] = [[], []]
  for (const [user, doors] of pairs) {
    for (const door of doors) {
      yield
      const [earlier, later] = [yield* was({ user, door }), yield* is({ user, door })]
      gained.push(...changesOf({ user, door }, { from: later, without: earlier, differences }))
      lost.push(...changesOf({ user, door }, { from: earlier, without: later, differences }))
    }
  }
  return { gained, lost }
}

type TimesByDirection = Readonly<Record<Direction, readonly Span[]>>
type Difference = {
  readonly from: TimesByDirection
  readonly without: TimesByDirection
  readonly differences: ReturnType<typeof differenceFinder>
}

function changesOf(
  pair: Pick<AccessChange, 'user' | 'door'>,
  { from, without, differences }: Difference,
): AccessChange[] {
  const [entry, exit] = [differences(from.entry, without.entry), differences(from.exit, without.exit)]
  if (entry === exit) return entry.length > 0 ? [{ ...pair, direction: 'both', times: entry }] : []
  return [
    ...(entry.length > 0 ? [{ ...pair, direction: 'entry' as const, times: entry }] : []),
    ...(exit.length > 0 ? [{ ...pair, direction: 'exit' as const, times: exit }] : []),
  ]
}

const nowhere: TimesByDirection = { entry: [], exit: [] }

function timesIn(index: PolicyIndex, { at, leftOut }: { at: number; leftOut: LeftOutByUnit | undefined }) {
  const finder = openingFinder(index, { at, leftOut })
  return function* times({ user, door: id }: { user: string; door: string }): Generator<undefined, TimesByDirection> {
    const door = index.doors.get(id)
    if (door === undefined) return nowhere
    const found = rulesForUserAtDoor(index, { user, door })
    if (!found.some(({ rule }) => rule.effect === 'allow')) return nowhere
    const rules = found.reduce<RuleSet | undefined>((set, { rule }) => finder.withRule(set, rule), undefined)
    const inDirection = function* (direction: Direction) {
      if (!door.directions[direction]) return nowhere[direction]
      return yield* finder.timesOf({ user, door, rules, readers: [direction] })
    }
    return { entry: yield* inDirection('entry'), exit: yield* inDirection('exit') }
  }
}

/**
 * Thousands of users share the same periods, so each difference is computed once, and equal ones are one object. Each user
 * may also have periods of their own: those that no caller needs longer are not kept.
 */
function differenceFinder() {
  const known = new WeakMap<readonly Span[], WeakMap<readonly Span[], readonly Span[]>>()
  const shared = sharedSpanLists()
  return (one: readonly Span[], other: readonly Span[]) => {
    const ofOne = known.get(one) ?? new WeakMap<readonly Span[], readonly Span[]>()
    known.set(one, ofOne)
    const cached = ofOne.get(other)
    if (cached !== undefined) return cached
    const difference = shared(subtractSpans(one, other))
    ofOne.set(other, difference)
    return difference
  }
}

/** Returns the first of all equal lists. */
function sharedSpanLists() {
  const byHash = new Map<number, (readonly Span[])[]>()
  return (spans: readonly Span[]) => {
    const hash = spans.reduce((sum, { from, until }) => Math.imul(Math.imul(sum, 31) + from, 31) + until, 0) | 0
    const alike = byHash.get(hash) ?? []
    byHash.set(hash, alike)
    const equal = alike.find((each) => areSameSpans(each, spans))
    if (equal === undefined) alike.push(spans)
    return equal ?? spans
  }
}

type Pairs = Pick<Question, 'items' | 'accounts'> & { readonly most: number }

/** The users and doors whose access can differ, by user; undefined as soon as there are too many. */
function* pairsOf(
  change: PolicyChange,
  { items, most, accounts }: Pairs,
): Generator<undefined, Map<string, Set<string>> | undefined> {
  const pairs = new Map<string, Set<string>>()
  let [steps, found, visited] = [0, 0, 0]
  for (const index of [change.before, change.index]) {
    const isSeen = (account: string) => accounts === undefined || accounts.has(account)
    for (const item of items) {
      yield
      for (const { doors, users } of reachOf(index, { item, change })) {
        const ids = doors.flatMap(({ _id, account }) => (isSeen(account) ? [_id] : []))
        for (const user of users) {
          // A rule may name thousands of users at thousands of doors.
          if ((steps += 1 + ids.length) >= stepSize) {
            steps = 0
            yield
          }
          if (!index.membershipsOfUser.get(user)?.some(({ account }) => isSeen(account))) continue
          const own = pairs.get(user) ?? new Set()
          pairs.set(user, own)
          const had = own.size
          for (const id of ids) own.add(id)
          found += own.size - had
          // Rules that name the same users and doors find the same pairs again.
          visited += 1 + ids.length
          if (found > most || visited > visitsPerPair * most) return undefined
        }
      }
    }
  }
  return pairs
}

const visitsPerPair = 8

/** Users may come twice. Nothing is collected before it is asked for: there may be millions. */
type Reach = { readonly doors: readonly Door[]; readonly users: Iterable<string> }
type ReachOf = { readonly item: ChangedItem; readonly change: PolicyChange }

function reachOf(index: PolicyIndex, { item: { list, id }, change }: ReachOf): Iterable<Reach> {
  switch (list) {
    case 'rules':
      return rulesReach(index, found(index.rules.get(id)))
    case 'schedules':
      return rulesReach(
        index,
        index.rules.values().filter(({ schedule }) => schedule === id),
      )
    case 'holidays':
      return doorsReach(
        index,
        found(index.holidays.get(id)).flatMap((holiday) => doorsOfHoliday(index, holiday)),
      )
    case 'users':
      return [userReach(index, id)]
    case 'credentials':
      return found(index.credentials.get(id)?.user ?? undefined).map((user) => userReach(index, user))
    case 'userGroups':
      return groupReach(index, { id, users: changedMembers(change, { list, id }) })
    case 'doorGroups':
      return doorsReach(
        index,
        [...changedMembers(change, { list, id })].flatMap((door) => found(index.doors.get(door))),
      )
    case 'siteGroups':
      return doorsReach(
        index,
        [...changedMembers(change, { list, id })].flatMap((site) => index.doorsOfSite.get(site) ?? []),
      )
    case 'sites':
      return doorsReach(index, index.doorsOfSite.get(id) ?? [])
    case 'units':
      return doorsReach(index, index.doorsOfUnit.get(id) ?? [])
    case 'doors':
      return doorsReach(index, found(index.doors.get(id)))
    // Interlocks give no access. A change of an account reaches all of its users: see `gainedAndLost`.
    case 'interlockingGroups':
    case 'accounts':
      return []
  }
}

function* rulesReach(index: PolicyIndex, rules: Iterable<Rule>): Generator<Reach> {
  for (const rule of rules)
    if (rule.enabled) yield { doors: doorsOfRule(index, rule), users: usersNamedBy(index, rule) }
}

/** Every user with a rule at one of the doors. */
function* doorsReach(index: PolicyIndex, doors: readonly Door[]): Generator<Reach> {
  for (const door of doors) {
    for (const rule of rulesAtDoor(index, door)) yield { doors: [door], users: usersNamedBy(index, rule) }
  }
}

function userReach(index: PolicyIndex, user: string): Reach {
  return { doors: rulesNaming(index, user).flatMap((rule) => doorsOfRule(index, rule)), users: [user] }
}

function* groupReach(index: PolicyIndex, { id, users }: { id: string; users: ReadonlySet<string> }): Generator<Reach> {
  for (const rule of index.rulesByWho.get(subjectKey({ kind: 'User Group', id })) ?? [])
    yield { doors: doorsOfRule(index, rule), users }
}

type Group = { readonly list: 'userGroups' | 'doorGroups' | 'siteGroups'; readonly id: string }

function changedMembers({ before, index }: PolicyChange, { list, id }: Group): ReadonlySet<string> {
  const [had, has] = [before, index].map((each) => each[list].members.get(id) ?? new Set<string>())
  return had && has ? had.symmetricDifference(has) : new Set()
}

function found<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item]
}

import { doorsOfHoliday, doorsOfRule } from '../configuration/affected-units.ts'
import { rulesForUserAtDoor, usersNamedBy, usersOfRule, rulesAtDoor } from '../decision/applying-rules.ts'
import { type PolicyIndex, subjectKey } from '../decision/policy-index.ts'
import type { PolicyList } from '../decision/update-index.ts'
import type { Door, Rule } from '../policy.ts'
import { stepSize } from '../steps.ts'
import { subtractSpans } from '../time/spans.ts'
import type { Span } from '../time/zone.ts'
import { openingFinder, type RuleSet } from './openings.ts'

/** A policy before and after a change. */
export type PolicyChange = { readonly before: PolicyIndex; readonly index: PolicyIndex }
type ChangedItem = { readonly list: PolicyList; readonly id: string }

/** The periods in which a user can open a door only after the change, or only before it. Equal periods are one object. */
export type AccessChange = {
  readonly user: string
  readonly door: string
  readonly times: readonly Span[]
}
export type GainedAndLost = { readonly gained: readonly AccessChange[]; readonly lost: readonly AccessChange[] }

type Question = {
  readonly items: readonly ChangedItem[]
  /** Epoch milliseconds. */
  readonly at: number
  /** How many pairs of a user and a door are examined at most. */
  readonly most?: number
  /** The accounts whose users and doors count; absent: all. */
  readonly accounts?: ReadonlySet<string>
}

/**
 * Who can open which doors at more or fewer times after a change of these items, from an instant on for eight weeks. It is the
 * difference between what the explorer says before and after. In short steps. Undefined if it concerns too many pairs.
 */
export function* gainedAndLost(
  change: PolicyChange,
  { items, at, most = Number.POSITIVE_INFINITY, accounts }: Question,
): Generator<undefined, GainedAndLost | undefined> {
  const pairs = yield* pairsOf(change, { items, most, accounts })
  if (pairs === undefined) return undefined
  const [was, is] = [timesIn(change.before, at), timesIn(change.index, at)]
  const differences = differenceFinder()
  const [gained, lost]: [AccessChange[], AccessChange[]] = [[], []]
  for (const [user, doors] of pairs) {
    for (const door of doors) {
      yield
      const [earlier, later] = [yield* was({ user, door }), yield* is({ user, door })]
      if (earlier === later) continue
      const more = differences(later, earlier)
      const less = differences(earlier, later)
      if (more.length > 0) gained.push({ user, door, times: more })
      if (less.length > 0) lost.push({ user, door, times: less })
    }
  }
  return { gained, lost }
}

const never: readonly Span[] = []

function timesIn(index: PolicyIndex, at: number) {
  const finder = openingFinder(index, { at })
  return function* times({ user, door: id }: { user: string; door: string }): Generator<undefined, readonly Span[]> {
    const door = index.doors.get(id)
    if (door === undefined) return never
    const found = rulesForUserAtDoor(index, { user, door })
    if (!found.some(({ rule }) => rule.effect === 'allow')) return never
    const rules = found.reduce<RuleSet | undefined>((set, { rule }) => finder.withRule(set, rule), undefined)
    return yield* finder.timesOf({ user, door, rules })
  }
}

/** Thousands of users share the same periods, so each difference is computed once, and equal ones are one object. */
function differenceFinder() {
  const known = new Map<readonly Span[], Map<readonly Span[], readonly Span[]>>()
  const byText = new Map<string, readonly Span[]>()
  return (one: readonly Span[], other: readonly Span[]) => {
    const ofOne = known.get(one) ?? new Map<readonly Span[], readonly Span[]>()
    known.set(one, ofOne)
    const cached = ofOne.get(other)
    if (cached !== undefined) return cached
    const found = subtractSpans(one, other)
    const text = JSON.stringify(found)
    const shared = byText.get(text) ?? found
    byText.set(text, shared)
    ofOne.set(other, shared)
    return shared
  }
}

type Pairs = Pick<Question, 'items' | 'accounts'> & { readonly most: number }

/** The users and doors whose access can differ, by user; undefined as soon as there are too many. */
function* pairsOf(
  change: PolicyChange,
  { items, most, accounts }: Pairs,
): Generator<undefined, Map<string, Set<string>> | undefined> {
  const pairs = new Map<string, Set<string>>()
  let [found, visited] = [0, 0]
  for (const index of [change.before, change.index]) {
    const isSeen = (account: string) => accounts === undefined || accounts.has(account)
    for (const item of items) {
      for (const { doors, users } of reachOf(index, { item, change })) {
        const ids = doors.flatMap(({ _id, account }) => (isSeen(account) ? [_id] : []))
        for (const user of users) {
          if (++visited % stepSize === 0) yield
          if (!index.membershipsOfUser.get(user)?.some(({ account }) => isSeen(account))) continue
          const own = pairs.get(user) ?? new Set()
          pairs.set(user, own)
          const had = own.size
          for (const id of ids) own.add(id)
          found += own.size - had
          // Rules that name the same users and doors find the same pairs again.
          visited += ids.length
          if (found > most || visited > visitsPerPair * most) return undefined
        }
      }
    }
  }
  return pairs
}

const visitsPerPair = 8

type Reach = { readonly doors: readonly Door[]; readonly users: Iterable<string> }

function reachOf(
  index: PolicyIndex,
  { item: { list, id }, change }: { item: ChangedItem; change: PolicyChange },
): Reach[] {
  switch (list) {
    case 'rules':
      return rulesReach(index, found(index.rules.get(id)))
    case 'schedules':
      return rulesReach(
        index,
        [...index.rules.values()].filter(({ schedule }) => schedule === id),
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
    // Neither gives access at a time, and a deadline of recertification is announced to each user.
    case 'interlockingGroups':
    case 'accounts':
      return []
  }
}

function rulesReach(index: PolicyIndex, rules: readonly Rule[]): Reach[] {
  return rules
    .filter(({ enabled }) => enabled)
    .map((rule) => ({ doors: doorsOfRule(index, rule), users: usersOfRule(index, rule) }))
}

/** Every user with a rule at one of the doors. */
function doorsReach(index: PolicyIndex, doors: readonly Door[]): Reach[] {
  return doors.map((door) => ({
    doors: [door],
    users: new Set(rulesAtDoor(index, door).flatMap((rule) => [...usersNamedBy(index, rule)])),
  }))
}

function userReach(index: PolicyIndex, user: string): Reach {
  const groups = (index.userGroups.groupsOf.get(user) ?? []).map((id) => ({ kind: 'User Group', id }) as const)
  const rules = [{ kind: 'User', id: user } as const, ...groups].flatMap(
    (who) => index.rulesByWho.get(subjectKey(who)) ?? [],
  )
  return { doors: rules.flatMap((rule) => doorsOfRule(index, rule)), users: [user] }
}

function groupReach(index: PolicyIndex, { id, users }: { id: string; users: ReadonlySet<string> }): Reach[] {
  const rules = index.rulesByWho.get(subjectKey({ kind: 'User Group', id })) ?? []
  return [{ doors: rules.flatMap((rule) => doorsOfRule(index, rule)), users }]
}

type Group = { readonly list: 'userGroups' | 'doorGroups' | 'siteGroups'; readonly id: string }

function changedMembers({ before, index }: PolicyChange, { list, id }: Group): ReadonlySet<string> {
  const [had, has] = [before, index].map((each) => each[list].members.get(id) ?? new Set<string>())
  return had && has ? had.symmetricDifference(has) : new Set()
}

function found<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item]
}

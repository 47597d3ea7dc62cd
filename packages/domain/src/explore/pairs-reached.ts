import { doorsOfHoliday } from '../configuration/affected-units.ts'
import { rulesNaming, usersNamedBy } from '../decision/applying-rules.ts'
import { doorInPolicy } from '../decision/door-in-policy.ts'
import { doorsOfRules } from '../decision/doors-of-rules.ts'
import { type PolicyIndex, subjectKey } from '../decision/policy-index.ts'
import type { PolicyList } from '../decision/update-index.ts'
import type { Door, Rule, Who } from '../policy.ts'
import { stepSize } from '../steps.ts'

/** A policy before and after a change. */
export type PolicyChange = { readonly before: PolicyIndex; readonly index: PolicyIndex }
export type ChangedItem = { readonly list: PolicyList; readonly id: string }

type Pairs = {
  readonly items: readonly ChangedItem[]
  /** How many pairs may be found. */
  readonly most: number
  /** The accounts whose users and doors count; absent: all. */
  readonly accounts: ReadonlySet<string> | undefined
}

/** Users named by several subjects, or that do not count, are looked at again and again. */
const visitsPerPair = 20

/**
 * The users and doors whose access can differ after a change of these items, by user, in short steps. Undefined as soon as
 * there are too many, or too many to look at.
 */
export function* pairsReached(
  change: PolicyChange,
  { items, most, accounts }: Pairs,
): Generator<undefined, Map<string, Set<string>> | undefined> {
  const { pairs, isSeen, take } = pairTaker({ most, accounts })
  let steps = 0
  for (const index of [change.before, change.index]) {
    for (const item of items) {
      yield
      const { doors, users } = reachOf(index, { item, change })
      for (const door of doors) {
        if (++steps % stepSize === 0) yield
        if (!isSeen(door)) continue
        for (const user of typeof users === 'function' ? yield* users(door) : users) {
          if (++steps % stepSize === 0) yield
          if (!take(index, { user, door })) return undefined
        }
      }
    }
  }
  return pairs
}

function pairTaker({ most, accounts }: Pick<Pairs, 'most' | 'accounts'>) {
  const pairs = new Map<string, Set<string>>()
  let [found, visited] = [0, 0]
  return { pairs, isSeen, take }

  function isSeen({ account }: { readonly account: string }) {
    return accounts === undefined || accounts.has(account)
  }

  /** Returns whether there may be more. */
  function take(index: PolicyIndex, { user, door }: { user: string; door: Door }) {
    visited += 1
    if (index.membershipsOfUser.get(user)?.some(isSeen)) {
      const own = pairs.get(user) ?? new Set()
      pairs.set(user, own)
      const had = own.size
      found += own.add(door._id).size - had
    }
    return found <= most && visited <= visitsPerPair * most
  }
}

/** Nothing is collected before it is asked for: there may be millions of pairs. */
type Reach = {
  /** Each door once. */
  readonly doors: Iterable<Door>
  /** At all of these doors, or found for each of them. They may come twice. */
  readonly users: Iterable<string> | UsersAt
}
type UsersAt = (door: Door) => Generator<undefined, Iterable<string>>
type ReachOf = { readonly item: ChangedItem; readonly change: PolicyChange }

function reachOf(index: PolicyIndex, { item: { list, id }, change }: ReachOf): Reach {
  switch (list) {
    case 'rules':
      return rulesReach(index, ({ _id }) => _id === id)
    case 'schedules':
      return rulesReach(index, ({ schedule }) => schedule === id)
    case 'holidays':
      return doorsReach(
        index,
        found(index.holidays.get(id)).flatMap((holiday) => doorsOfHoliday(index, holiday)),
      )
    case 'users':
      return userReach(index, id)
    case 'credentials':
      return userReach(index, index.credentials.get(id)?.user ?? '')
    case 'userGroups': {
      const rules = index.rulesByWho.get(subjectKey({ kind: 'User Group', id })) ?? []
      // Also those that an active lockdown lets its members pass.
      const doors = new Set([...doorsOfRules(index, rules), ...(index.doorsOfUserGroups.get(id) ?? [])])
      return { doors, users: changedMembers(change, { list, id }) }
    }
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
    // Interlocks give no access, and an active lockdown has its own exceptions. A change of an account reaches all of its users: see `gainedAndLost`.
    case 'interlockingGroups':
    case 'lockdownPlans':
    case 'accounts':
      return doorsReach(index, [])
  }
}

function rulesReach(index: PolicyIndex, isReached: (rule: Rule) => boolean): Reach {
  return {
    doors: doorsOfRules(index, index.rules.values().filter(isReached)),
    users: usersFinder(index, isReached),
  }
}

/** Every user with a rule at one of the doors. */
function doorsReach(index: PolicyIndex, doors: readonly Door[]): Reach {
  return { doors, users: usersFinder(index, () => true) }
}

function userReach(index: PolicyIndex, user: string): Reach {
  return { doors: doorsOfRules(index, rulesNaming(index, user)), users: [user] }
}

/** Finds the users whom some rules name at a door, through each user or group once: thousands of rules may name the same. */
function usersFinder(index: PolicyIndex, isReached: (rule: Rule) => boolean): UsersAt {
  const byPlace = new Map<string, ReadonlyMap<string, Who>>()
  return function* usersAt(door) {
    const { subjects, lineage } = doorInPolicy(index, door)
    const all: ReadonlyMap<string, Who>[] = []
    for (const { key, rules } of subjects) {
      // Doors at one place share what its rules name.
      const place = `${door.account} ${key}`
      const named =
        byPlace.get(place) ??
        (yield* namedBy(rules.filter((rule) => lineage.includes(rule.account) && isReached(rule))))
      byPlace.set(place, named)
      if (named.size > 0) all.push(named)
    }
    const [only, ...others] = all
    const who = others.length === 0 ? only : new Map(all.flatMap((named) => [...named]))
    const users: Iterable<string> = usersNamedBy(index, { who: who?.values() ?? [] })
    return users
  }
}

function* namedBy(rules: readonly Rule[]): Generator<undefined, ReadonlyMap<string, Who>> {
  const named = new Map<string, Who>()
  let steps = 0
  for (const { who } of rules) {
    for (const each of who) {
      if (++steps % stepSize === 0) yield
      named.set(subjectKey(each), each)
    }
  }
  return named
}

type Group = { readonly list: 'userGroups' | 'doorGroups' | 'siteGroups'; readonly id: string }

function changedMembers({ before, index }: PolicyChange, { list, id }: Group): ReadonlySet<string> {
  const [had, has] = [before, index].map((each) => each[list].members.get(id) ?? new Set<string>())
  return had && has ? had.symmetricDifference(has) : new Set()
}

function found<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item]
}

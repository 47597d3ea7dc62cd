import { usersNamedBy } from '../decision/applying-rules.ts'
import { doorInPolicy } from '../decision/door-in-policy.ts'
import { doorsOfRules } from '../decision/doors-of-rules.ts'
import { type PolicyIndex, subjectKey } from '../decision/policy-index.ts'
import type { Door, Rule } from '../policy.ts'
import type { ReviewSteps } from './review-steps.ts'

/** Compares the users and doors that rules name. Thousands of rules may name the same, so each result is kept. */
export function ruleExtents(index: PolicyIndex, steps: ReviewSteps) {
  const [users, doors, shared] = [keeper<boolean>(), keeper<boolean>(), keeper<number>()]
  const [whoKeys, whereKeys] = [keysOf('who'), keysOf('where')]
  const [whoKey, whereName] = [namesOf(whoKeys), namesOf(whereKeys)]
  return { areUsersCovered, areDoorsCovered, sharedUsers, doorsOf, namesDoor, whoKey, whereKey }

  function whereKey(rule: Rule) {
    return `${rule.account} ${whereName(rule)}`
  }

  function namesUser(rule: Rule, user: string) {
    const keys = whoKeys(rule)
    if (keys.has(subjectKey({ kind: 'User', id: user }))) return true
    const groups = index.userGroups.groupsOf.get(user) ?? []
    return groups.some((id) => keys.has(subjectKey({ kind: 'User Group', id })))
  }

  function namesDoor(rule: Rule, door: Door) {
    const { subjects, lineage } = doorInPolicy(index, door)
    return lineage.includes(rule.account) && subjects.some(({ key }) => whereKeys(rule).has(key))
  }

  /** The doors that a rule names. */
  function* doorsOf(rule: Rule): Generator<Door> {
    for (const door of doorsOfRules(index, [rule])) if (namesDoor(rule, door)) yield door
  }

  /** Whether the second rule names all users of the first. */
  function* areUsersCovered(rule: Rule, by: Rule): Generator<undefined, boolean> {
    if (whoKeys(rule).isSubsetOf(whoKeys(by))) return true
    return yield* users(`${whoKey(rule)} ${whoKey(by)}`, function* () {
      for (const user of usersNamedBy(index, rule)) {
        yield* steps.take()
        if (!namesUser(by, user)) return false
      }
      return true
    })
  }

  /** Whether the second rule names all doors of the first. */
  function* areDoorsCovered(rule: Rule, by: Rule): Generator<undefined, boolean> {
    const isAbove = index.lineageOf(rule.account).includes(by.account)
    if (isAbove && whereKeys(rule).isSubsetOf(whereKeys(by))) return true
    return yield* doors(`${whereKey(rule)} ${whereKey(by)}`, function* () {
      for (const door of doorsOf(rule)) {
        yield* steps.take()
        if (!namesDoor(by, door)) return false
      }
      return true
    })
  }

  /** How many users both rules name. */
  function* sharedUsers(one: Rule, other: Rule): Generator<undefined, number> {
    const [fewer, more] = sizeOf(one) <= sizeOf(other) ? [one, other] : [other, one]
    return yield* shared(`${whoKey(fewer)} ${whoKey(more)}`, function* () {
      const both = new Set<string>()
      for (const user of usersNamedBy(index, fewer)) {
        yield* steps.take()
        if (namesUser(more, user)) both.add(user)
      }
      return both.size
    })
  }

  function sizeOf({ who }: Rule) {
    return who.reduce((sum, { id }) => sum + (index.userGroups.members.get(id)?.size ?? 1), 0)
  }
}

/** As many results as fit into some tens of megabytes; others are found again. */
const mostKept = 100_000

/** Runs each search once. */
function keeper<T>() {
  const known = new Map<string, T>()
  return function* kept(key: string, find: () => Generator<undefined, T>): Generator<undefined, T> {
    const found = known.get(key) ?? (yield* find())
    if (known.size < mostKept) known.set(key, found)
    return found
  }
}

/** The lists of rules that name more are compared by the rule itself: to join them would take too much memory. */
const mostJoined = 50

/** A short name for each list of subjects; rules with the same short list share it. */
function namesOf(keys: (rule: Rule) => ReadonlySet<string>) {
  const numbers = new Map<string, number>()
  const known = new WeakMap<Rule, string>()
  return (rule: Rule) => {
    const name = known.get(rule) ?? newName(rule)
    known.set(rule, name)
    return name
  }

  function newName(rule: Rule) {
    const all = keys(rule)
    if (all.size > mostJoined) return rule._id
    const joined = [...all].join()
    const number = numbers.get(joined) ?? numbers.size
    numbers.set(joined, number)
    return `${number}`
  }
}

function keysOf(field: 'who' | 'where') {
  const known = new WeakMap<Rule, ReadonlySet<string>>()
  return (rule: Rule) => {
    const keys = known.get(rule) ?? new Set(rule[field].map(subjectKey).toSorted())
    known.set(rule, keys)
    return keys
  }
}

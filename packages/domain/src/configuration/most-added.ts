import { rulesAtDoor, rulesNaming, usersNamedBy } from '../decision/applying-rules.ts'
import { type PolicyIndex, subjectKey } from '../decision/policy-index.ts'
import type { PolicyList } from '../decision/update-index.ts'
import type { Rule } from '../policy.ts'
import { stepSize } from '../steps.ts'
import type { ConfigSize } from './config-size.ts'

type Change = { readonly before: PolicyIndex; readonly index: PolicyIndex }
type ChangedItem = { readonly list: PolicyList; readonly id: string }

/**
 * The most items that can join the configuration of any one unit by a change of these items, found without compiling.
 * It does not count credentials that a number identifies because another one with this number has gone. In short steps.
 */
export function* mostAdded(change: Change, items: readonly ChangedItem[]): Generator<undefined, ConfigSize> {
  const [users, rules] = [new Set<string>(), new Set<Rule>()]
  for (const item of items) {
    yield
    for (const rule of rulesBehind(change.index, item)) {
      rules.add(rule)
      for (const user of usersAdded(change, rule)) users.add(user)
    }
    for (const user of usersBehind(change, item)) users.add(user)
  }
  let [credentials, count] = [0, 0]
  for (const user of users) {
    if (++count % stepSize === 0) yield
    // A user who had no access may bring the schedules of all their rules.
    for (const rule of rulesNaming(change.index, user)) rules.add(rule)
    // A PIN may count twice.
    credentials += 2 * (change.index.credentialsOfUser.get(user)?.length ?? 0)
  }
  const doors = items.filter(({ list }) => list === 'doors').length
  return { doors, credentials, schedules: new Set([...rules].map(({ schedule }) => schedule)).size }
}

/** The rules that can apply at more doors, or in another way, by the item. */
function rulesBehind(index: PolicyIndex, { list, id }: ChangedItem): readonly Rule[] {
  switch (list) {
    case 'rules':
      return found(index.rules.get(id))
    case 'doors':
      return found(index.doors.get(id)).flatMap((door) => rulesAtDoor(index, door))
    case 'doorGroups':
      return index.rulesByWhere.get(subjectKey({ kind: 'Door Group', id })) ?? []
    case 'siteGroups':
      return index.rulesByWhere.get(subjectKey({ kind: 'Site Group', id })) ?? []
    default:
      return []
  }
}

/** The users whom a rule did not name before, or all of them if it applies elsewhere or otherwise. */
function usersAdded({ before, index }: Change, rule: Rule): Iterable<string> {
  const was = before.rules.get(rule._id)
  const apartFromWho = (each: Rule) => JSON.stringify({ ...each, who: [] })
  const all = new Set(usersNamedBy(index, rule))
  if (was === undefined || was === rule || apartFromWho(was) !== apartFromWho(rule)) return all
  return all.difference(new Set(usersNamedBy(before, was)))
}

/** The users for whom more rules, or more credentials, can count by the item. */
function usersBehind({ before, index }: Change, { list, id }: ChangedItem): Iterable<string> {
  if (list === 'users') return [id]
  if (list === 'credentials') return found(index.credentials.get(id)?.user ?? undefined)
  if (list !== 'userGroups') return []
  const members = index.userGroups.members.get(id) ?? new Set<string>()
  return members.difference(before.userGroups.members.get(id) ?? new Set())
}

function found<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item]
}

import { rulesAtDoor, rulesNaming, usersNamedBy } from '../decision/applying-rules.ts'
import { type PolicyIndex, subjectKey } from '../decision/policy-index.ts'
import type { PolicyList } from '../decision/update-index.ts'
import type { Door, Rule, Who } from '../policy.ts'
import { stepSize } from '../steps.ts'
import type { ConfigSize } from './config-size.ts'

type Change = { readonly before: PolicyIndex; readonly index: PolicyIndex }
type ChangedItem = { readonly list: PolicyList; readonly id: string }

/**
 * The most items that can join the configuration of any one unit by a change of these items, found without compiling.
 * It does not count credentials that a number identifies because another one with this number has gone. In short steps.
 */
export function* mostAdded(change: Change, items: readonly ChangedItem[]): Generator<undefined, ConfigSize> {
  const { index } = change
  const rules = new Set<Rule>()
  const users = yield* usersReached(change, { items, rules })
  let [credentials, count] = [0, 0]
  for (const user of users) {
    if (++count % stepSize === 0) yield
    // A user who had no access may bring the schedules of all their rules.
    for (const rule of rulesNaming(index, user)) rules.add(rule)
    // A PIN may count twice.
    credentials += 2 * (index.credentialsOfUser.get(user)?.length ?? 0)
  }
  const doors = items.filter(({ list }) => list === 'doors')
  const unlocking = doors.map(({ id }) => index.doors.get(id)?.unlockSchedule ?? null)
  const schedules = new Set([...[...rules].map(({ schedule }) => schedule), ...unlocking])
  return { doors: doors.length, credentials, schedules: schedules.size }
}

type Reached = { readonly items: readonly ChangedItem[]; readonly rules: Set<Rule> }

/** The users who can gain access; adds the rules through which they can. */
function* usersReached(change: Change, { items, rules }: Reached): Generator<undefined, Set<string>> {
  const { before, index } = change
  const subjects = new Map<string, Who>()
  const users = new Set<string>()
  let count = 0
  for (const item of items) {
    yield
    for (const rule of rulesBehind(index, item)) {
      rules.add(rule)
      for (const who of subjectsAdded(before, rule)) subjects.set(subjectKey(who), who)
    }
    for (const user of usersBehind(change, item)) users.add(user)
  }
  // Each group once, however many rules name it.
  for (const user of usersNamedBy(index, { who: [...subjects.values()] })) {
    if (++count % stepSize === 0) yield
    users.add(user)
  }
  return users
}

/** The rules that can apply at more doors, or in another way, by the item. */
function rulesBehind(index: PolicyIndex, { list, id }: ChangedItem): readonly Rule[] {
  switch (list) {
    case 'rules':
      return found(index.rules.get(id))
    case 'doors':
      return found(index.doors.get(id)).flatMap((door) => rulesThroughDoor(index, door))
    case 'doorGroups':
      return index.rulesByWhere.get(subjectKey({ kind: 'Door Group', id })) ?? []
    case 'siteGroups':
      return index.rulesByWhere.get(subjectKey({ kind: 'Site Group', id })) ?? []
    default:
      return []
  }
}

/** A door with PINs brings the PINs of all users of its unit. */
function rulesThroughDoor(index: PolicyIndex, door: Door): readonly Rule[] {
  const hasPins = door.requiresPin || door.acceptsPinAlone
  const doors = hasPins && door.unit !== null ? (index.doorsOfUnit.get(door.unit) ?? []) : [door]
  return doors.flatMap((each) => rulesAtDoor(index, each))
}

/** The users and groups that a rule did not name before, or all of them if it applies elsewhere or otherwise. */
function subjectsAdded(before: PolicyIndex, rule: Rule): readonly Who[] {
  const was = before.rules.get(rule._id)
  const apartFromWho = (each: Rule) => JSON.stringify({ ...each, who: [] })
  if (was === undefined || was === rule || apartFromWho(was) !== apartFromWho(rule)) return rule.who
  const had = new Set(was.who.map(subjectKey))
  return rule.who.filter((who) => !had.has(subjectKey(who)))
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

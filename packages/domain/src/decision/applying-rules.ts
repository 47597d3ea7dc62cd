import { type ApplyingRule, type DoorInPolicy, doorInPolicy, groupsOf, type NameAtDoor } from './door-in-policy.ts'
import type { RuleVia } from './finding.ts'
import type { Door, Rule, Who } from '../policy.ts'
import { type PolicyIndex, subjectKey } from './policy-index.ts'

/**
 * The enabled rules that name a user and a door, by id, each with the most direct subjects through which it does. Only
 * rules of the door's account and the accounts above it apply; an empty or dangling subject matches no user or door.
 */
export function rulesForUserAtDoor(
  index: PolicyIndex,
  { user, door }: { user: string; door: Door },
): readonly ApplyingRule[] {
  const { names, subjects, lineage } = doorInPolicy(index, door)
  if (!index.membershipsOfUser.has(user)) return noRules
  return names === undefined ? amongRulesOfUser(index, { subjects, lineage, user }) : amongNames(names, user)
}

const noRules: readonly ApplyingRule[] = []

function amongNames(names: readonly NameAtDoor[], user: string): readonly ApplyingRule[] {
  let found = noRules
  for (const { who, members, rules } of names) {
    if (who.kind === 'User' ? who._id === user : members?.has(user)) found = withMoreRules(found, rules)
  }
  return found
}

/** A rule may name a user twice: the more direct name comes first. */
function withMoreRules(found: readonly ApplyingRule[], more: readonly ApplyingRule[]) {
  if (found.length === 0) return more
  const others = more.filter(({ rule }) => !found.some((each) => each.rule === rule))
  return [...found, ...others].sort(byId)
}

type AtDoorOfUser = Pick<DoorInPolicy, 'subjects' | 'lineage'> & { readonly user: string }

function amongRulesOfUser(index: PolicyIndex, { subjects, lineage, user }: AtDoorOfUser) {
  const found = new Map<Rule, ApplyingRule>()
  for (const { who, rules } of whoSubjectsOf(index, user)) {
    for (const rule of rules) {
      if (found.has(rule) || !lineage.includes(rule.account)) continue
      const named = index.whereOfRule.get(rule)
      const where = subjects.find(({ key }) => named?.has(key))?.where
      if (where !== undefined) found.set(rule, { rule, via: { who, where } })
    }
  }
  return [...found.values()].sort(byId)
}

function byId({ rule: a }: ApplyingRule, { rule: b }: ApplyingRule) {
  return a._id < b._id ? -1 : 1
}

/** The enabled rules that name a user, directly or through groups, for any door. */
export function rulesNaming(index: PolicyIndex, user: string): Rule[] {
  const groups = (index.userGroups.groupsOf.get(user) ?? []).map((id) => ({ kind: 'User Group', id }) as const)
  return [{ kind: 'User', id: user } as const, ...groups].flatMap((who) => index.rulesByWho.get(subjectKey(who)) ?? [])
}

/** The enabled rules that name a door, for any user. */
export function rulesAtDoor(index: PolicyIndex, door: Door): Rule[] {
  const { subjects, lineage } = doorInPolicy(index, door)
  return [...new Set(subjects.flatMap(({ rules }) => rules))].filter(({ account }) => lineage.includes(account))
}

/** The users that a rule names, directly or through groups. */
export function usersOfRule(index: PolicyIndex, rule: Rule): Set<string> {
  return new Set(usersNamedBy(index, rule))
}

/** The same one by one; a user named twice comes twice. */
export function* usersNamedBy(index: PolicyIndex, { who }: { readonly who: Iterable<Who> }): Generator<string> {
  for (const { kind, id } of who) {
    for (const user of kind === 'User' ? [id] : (index.userGroups.members.get(id) ?? [])) {
      if (index.membershipsOfUser.has(user)) yield user
    }
  }
}

/** A subject by which rules name a user, and its enabled rules. */
type WhoSubject = { readonly who: RuleVia['who']; readonly rules: readonly Rule[] }

function whoSubjectsOf(index: PolicyIndex, user: string): WhoSubject[] {
  const groups = groupsOf(index.userGroups, user).map(({ _id, name }) => ({ kind: 'User Group', _id, name }) as const)
  return [{ kind: 'User', _id: user } as const, ...groups].map((who) => ({
    who,
    rules: index.rulesByWho.get(subjectKey({ kind: who.kind, id: who._id })) ?? [],
  }))
}

import type { RuleVia } from './finding.ts'
import type { Door, Rule, WhereKind } from '../policy.ts'
import { type GroupIndex, type NamedGroup, type PolicyIndex, subjectKey } from './policy-index.ts'

export type ApplyingRule = { readonly rule: Rule; readonly via: RuleVia }

/**
 * The enabled rules that name a user and a door, by id, each with the most direct subjects through which it does. Only
 * rules of the door's account and the accounts above it apply; an empty or dangling subject matches no user or door.
 */
export function rulesForUserAtDoor(index: PolicyIndex, { user, door }: { user: string; door: Door }): ApplyingRule[] {
  if (!index.membershipsOfUser.has(user)) return []
  const lineage = index.lineageOf(door.account)
  const whereSubjects = whereSubjectsOf(index, door)
  const found = new Map<Rule, ApplyingRule>()
  for (const who of whoSubjectsOf(index, user)) {
    for (const rule of index.rulesByWho.get(subjectKey({ kind: who.kind, id: who._id })) ?? []) {
      if (found.has(rule) || !lineage.includes(rule.account)) continue
      const named = index.whereOfRule.get(rule)
      const where = whereSubjects.find(({ kind, _id }) => named?.has(subjectKey({ kind, id: _id })))
      if (where !== undefined) found.set(rule, { rule, via: { who, where } })
    }
  }
  return [...found.values()].sort((a, b) => (a.rule._id < b.rule._id ? -1 : 1))
}

/** The enabled rules that name a door, for any user. */
export function rulesAtDoor(index: PolicyIndex, door: Door): Rule[] {
  const lineage = index.lineageOf(door.account)
  const rules = whereSubjectsOf(index, door).flatMap(
    ({ kind, _id }) => index.rulesByWhere.get(subjectKey({ kind, id: _id })) ?? [],
  )
  return [...new Set(rules)].filter(({ account }) => lineage.includes(account))
}

/** The users that a rule names, directly or through groups. */
export function usersOfRule(index: PolicyIndex, rule: Rule): Set<string> {
  return new Set(usersNamedBy(index, rule))
}

/** The same one by one; a user named twice comes twice. */
export function* usersNamedBy(index: PolicyIndex, { who }: Rule): Generator<string> {
  for (const { kind, id } of who) {
    for (const user of kind === 'User' ? [id] : (index.userGroups.members.get(id) ?? [])) {
      if (index.membershipsOfUser.has(user)) yield user
    }
  }
}

function whoSubjectsOf(index: PolicyIndex, user: string): RuleVia['who'][] {
  const groups = groupsOf(index.userGroups, user)
  return [{ kind: 'User', _id: user }, ...groups.map(({ _id, name }) => ({ kind: 'User Group', _id, name }) as const)]
}

function whereSubjectsOf(index: PolicyIndex, door: Door): RuleVia['where'][] {
  const site = index.sites.get(door.site)
  const siteGroups = site === undefined ? [] : groupsOf(index.siteGroups, site._id)
  return [
    whereSubject('Door', door),
    ...groupsOf(index.doorGroups, door._id).map((group) => whereSubject('Door Group', group)),
    ...(site === undefined ? [] : [whereSubject('Site', site)]),
    ...siteGroups.map((group) => whereSubject('Site Group', group)),
  ]
}

function groupsOf({ groups, groupsOf: idsOf }: GroupIndex, member: string): NamedGroup[] {
  return (idsOf.get(member) ?? []).flatMap((id) => groups.get(id) ?? [])
}

function whereSubject(
  kind: WhereKind,
  { _id, name }: { readonly _id: string; readonly name: string },
): RuleVia['where'] {
  return { kind, _id, name }
}

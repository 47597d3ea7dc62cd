import { usersNamedBy } from '../decision/applying-rules.ts'
import { type PolicyIndex, subjectKey } from '../decision/policy-index.ts'
import type { Rule, Who } from '../policy.ts'
import type { ReviewSteps } from './review-steps.ts'

/** Finds the enabled deny rules that name a user of a rule. Each user group is read once. */
export function denyRulesFinder(index: PolicyIndex, steps: ReviewSteps) {
  const known = new Map<string, ReadonlySet<Rule>>()
  const byWho = denyRulesByWho(index)
  return function* denyRules({ who }: Rule): Generator<undefined, ReadonlySet<Rule>> {
    const found = new Set<Rule>()
    if (byWho.size === 0) return found
    for (const each of who) {
      for (const rule of yield* ofSubject(each)) {
        yield* steps.take()
        found.add(rule)
      }
    }
    return found
  }

  function* ofSubject(who: Who): Generator<undefined, ReadonlySet<Rule>> {
    const key = subjectKey(who)
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const found = new Set<Rule>()
    for (const user of usersNamedBy(index, { who: [who] })) {
      yield* steps.take()
      if (steps.isSpent()) break
      for (const rule of namesOf(user).flatMap((name) => byWho.get(name) ?? [])) {
        yield* steps.take()
        found.add(rule)
      }
    }
    // There are too many users to keep what was found of each.
    if (who.kind === 'User Group') known.set(key, found)
    return found
  }

  function namesOf(user: string) {
    const groups = (index.userGroups.groupsOf.get(user) ?? []).map((id) => subjectKey({ kind: 'User Group', id }))
    return [subjectKey({ kind: 'User', id: user }), ...groups]
  }
}

function denyRulesByWho({ rules }: PolicyIndex) {
  const byWho = new Map<string, Rule[]>()
  for (const rule of rules.values()) {
    if (rule.effect !== 'deny' || !rule.enabled) continue
    for (const key of rule.who.map(subjectKey)) {
      const named = byWho.get(key) ?? []
      named.push(rule)
      byWho.set(key, named)
    }
  }
  return byWho
}

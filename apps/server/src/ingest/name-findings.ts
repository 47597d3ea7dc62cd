import type { Finding, FindingFacts, Ref, RuleFindingFacts } from '@portcullis/domain/decision/finding'
import type { PolicyIndex } from '@portcullis/domain/decision/gather-facts'

/** Findings of a unit, which knows ids only, with the names that these ids have now. */
export function withNames(findings: readonly Finding[], index: PolicyIndex): Finding[] {
  const { policy } = index
  const named = [policy.doors, policy.users, policy.rules, policy.schedules].flat()
  const names = new Map(named.map(({ _id, name }) => [_id, name]))
  return findings.map((finding) => ({ ...finding, facts: namedFacts(finding.facts, names) }))
}

type Names = ReadonlyMap<string, string>

function namedFacts({ door, holder, otherRules, ...facts }: FindingFacts, names: Names): FindingFacts {
  return {
    ...facts,
    ...namedRule(facts, names),
    ...(door ? { door: namedRef(door, names) } : {}),
    ...(holder ? { holder: namedRef(holder, names) } : {}),
    ...(otherRules ? { otherRules: otherRules.map((other) => ({ ...other, ...namedRule(other, names) })) } : {}),
  }
}

function namedRule({ rule, schedule }: RuleFindingFacts, names: Names) {
  return {
    ...(rule ? { rule: namedRef(rule, names) } : {}),
    ...(schedule ? { schedule: namedRef(schedule, names) } : {}),
  }
}

function namedRef<T extends Ref>(ref: T, names: Names): T {
  const name = names.get(ref._id)
  return name === undefined ? ref : { ...ref, name }
}

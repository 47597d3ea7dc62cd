import type { Finding, FindingFacts, Ref, RuleFindingFacts } from '@portcullis/domain/decision/finding'
import type { Kind, Sight } from './sight.ts'

/** Findings as somebody may read them: what is of an account above, or not theirs to see, is there without id and name. */
export function hideNames(findings: readonly Finding[], sight: Sight) {
  return findings.map(({ facts, ...finding }) => ({ ...finding, facts: hiddenFacts(facts, sight) }))
}

function hiddenFacts(facts: FindingFacts, sight: Sight): Record<string, unknown> {
  const { door, unit, holder, credential, otherRules } = facts
  return {
    ...facts,
    ...hiddenRule(facts, sight),
    ...(door ? { door: seenRef(door, { kind: 'door', sight }) } : {}),
    ...(unit ? { unit: seenRef(unit, { kind: 'unit', sight }) } : {}),
    ...(holder ? { holder: { ...seenRef(holder, { kind: 'user', sight }), status: holder.status } } : {}),
    ...(credential ? { credential: seenRef(credential, { kind: 'credential', sight }) } : {}),
    ...(otherRules ? { otherRules: otherRules.map((other) => ({ ...other, ...hiddenRule(other, sight) })) } : {}),
  }
}

function hiddenRule({ rule, schedule, holiday, via }: RuleFindingFacts, sight: Sight) {
  return {
    ...(rule ? { rule: seenRef(rule, { kind: 'rule', sight }) } : {}),
    ...(schedule ? { schedule: seenRef(schedule, { kind: 'schedule', sight }) } : {}),
    ...(holiday ? { holiday: seenRef(holiday, { kind: 'holiday', sight }) } : {}),
    ...(via
      ? {
          via: {
            who: seenRef(via.who, { kind: viaKinds[via.who.kind], sight }),
            where: seenRef(via.where, { kind: viaKinds[via.where.kind], sight }),
          },
        }
      : {}),
  }
}

type Seen = { kind: Kind; sight: Sight }

function seenRef<T extends Ref>(ref: T, { kind, sight }: Seen) {
  if (sight.sees(kind, ref._id)) return ref
  const { _id, name: _name, ...rest } = ref
  return { ...rest, isHidden: true }
}

const viaKinds = {
  User: 'user',
  'User Group': 'userGroup',
  Door: 'door',
  Site: 'site',
  'Door Group': 'doorGroup',
  'Site Group': 'siteGroup',
} as const satisfies Record<string, Kind>

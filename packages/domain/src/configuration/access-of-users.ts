import { rulesAtDoor, usersNamedBy } from '../decision/applying-rules.ts'
import { groupsThatMayPass } from '../decision/lockdown-exceptions.ts'
import type { Door, Rule, Who } from '../policy.ts'
import { type PolicyIndex, subjectKey } from '../decision/policy-index.ts'
import { stepSize } from '../steps.ts'
import type { Span } from '../time/zone.ts'
import type { RuleIds, UnitAccess } from './unit-config.ts'

/** A user or a user group that rules at the doors of a unit name, or that passes first, or during a lockdown, there. */
export type AccessSubject = UnitAccess & {
  readonly who: Who
  readonly rules: ReadonlySet<Rule>
  readonly isAllowed: boolean
}

/** Some subjects, as one more than a smaller set: users with the same subjects share one set. */
type SubjectSet = {
  readonly smaller: SubjectSet | undefined
  readonly id: string
  readonly isAllowed: boolean
}

export type NumberedDoor = readonly [unitDoor: string, door: Door]
type AccessInput = { index: PolicyIndex; doors: readonly NumberedDoor[]; span: Span }

/** The subjects at the doors of a unit, sorted by id. */
export function subjectsAtDoors({ index, doors, span }: AccessInput): Map<string, AccessSubject> {
  const found = new Map<string, { who: Who; rules: Set<Rule>; doors: Map<string, DoorRules> }>()
  const atDoor = (who: Who, number: string) => {
    const subject = found.get(who.id) ?? { who, rules: new Set(), doors: new Map<string, DoorRules>() }
    found.set(who.id, subject)
    const rules = subject.doors.get(number) ?? { rules: [], isFirst: false }
    subject.doors.set(number, rules)
    return { subject, rules }
  }
  for (const [number, door] of doors) {
    for (const rule of rulesAtDoor(index, door)) {
      if (rule.adhoc !== null && Date.parse(rule.adhoc.until) <= span.from) continue
      for (const who of new Map(rule.who.map((each) => [subjectKey(each), each])).values()) {
        const { subject, rules } = atDoor(who, number)
        subject.rules.add(rule)
        rules.rules.push(rule)
      }
    }
    const { firstPersonGroup: id } = door
    if (id) atDoor({ kind: 'User Group', id }, number).rules.isFirst = true
    for (const group of groupsThatMayPass(index, door)) atDoor({ kind: 'User Group', id: group }, number)
  }
  const subjects = [...found].map(([id, { who, rules, doors: own }]): [string, AccessSubject] => [
    id,
    { who, rules, isAllowed: [...rules].some(({ effect }) => effect === 'allow'), doors: ruleIdsOf(own) },
  ])
  return new Map(subjects.sort(byKey))
}

type DoorRules = { readonly rules: Rule[]; isFirst: boolean }

function ruleIdsOf(doors: ReadonlyMap<string, DoorRules>): UnitAccess['doors'] {
  const entries = [...doors].map(([number, { rules, isFirst }]): [string, RuleIds] => {
    const ids = (effect: Rule['effect']) => rules.flatMap((rule) => (rule.effect === effect ? [rule._id] : [])).sort()
    return [number, { allow: ids('allow'), deny: ids('deny'), ...(isFirst ? { first: true } : {}) }]
  })
  return Object.fromEntries(entries.sort(byKey))
}

export function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]) {
  return one < other ? -1 : 1
}

/**
 * The ids of the subjects that give each user access, of all users with at least one allow rule at one of the doors: one
 * list for all users with the same ones. Its memory grows with the memberships.
 */
export function* accessOfUsers(
  index: PolicyIndex,
  subjects: ReadonlyMap<string, AccessSubject>,
): Generator<undefined, Map<string, readonly string[]>> {
  const sets = new Map<string, SubjectSet>()
  let count = 0
  for (const { who, isAllowed } of subjects.values()) {
    const larger = new Map<SubjectSet | undefined, SubjectSet>()
    for (const user of usersNamedBy(index, { who: [who] })) {
      if (++count % stepSize === 0) yield
      const smaller = sets.get(user)
      const set = larger.get(smaller) ?? { smaller, id: who.id, isAllowed: isAllowed || smaller?.isAllowed === true }
      larger.set(smaller, set)
      sets.set(user, set)
    }
  }
  const lists = new Map<SubjectSet, readonly string[]>()
  const access = new Map<string, readonly string[]>()
  for (const [user, set] of sets) {
    if (++count % stepSize === 0) yield
    if (!set.isAllowed) continue
    const list = lists.get(set) ?? idsOf(set)
    lists.set(set, list)
    access.set(user, list)
  }
  return access
}

function idsOf(set: SubjectSet) {
  const ids: string[] = []
  for (let each: SubjectSet | undefined = set; each; each = each.smaller) ids.push(each.id)
  return ids.reverse()
}

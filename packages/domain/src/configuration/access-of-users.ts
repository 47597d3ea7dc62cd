import { rulesAtDoor, usersNamedBy } from '../decision/applying-rules.ts'
import type { Door, Rule, Who } from '../policy.ts'
import { type PolicyIndex, subjectKey } from '../decision/policy-index.ts'
import { stepSize } from '../steps.ts'
import type { Span } from '../time/zone.ts'
import type { RuleIds, UnitAccess } from './unit-config.ts'

/** A user or a user group that rules at the doors of a unit name, or that passes first there. */
export type AccessSubject = UnitAccess & {
  readonly who: Who
  readonly rules: ReadonlySet<Rule>
  readonly isAllowed: boolean
}

/** The subjects that give a user access, by id: one object for all users with the same ones. */
export type UserAccess = {
  readonly subjects: readonly string[]
  readonly isAllowed: boolean
  /** By the id of one more subject. */
  readonly larger: Map<string, UserAccess>
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

/** The access of all users with at least one allow rule at one of the doors. */
export function* accessOfUsers(
  index: PolicyIndex,
  subjects: ReadonlyMap<string, AccessSubject>,
): Generator<undefined, Map<string, UserAccess>> {
  const none: UserAccess = { subjects: [], isAllowed: false, larger: new Map() }
  const access = new Map<string, UserAccess>()
  let count = 0
  for (const subject of subjects.values()) {
    for (const user of usersNamedBy(index, { who: [subject.who] })) {
      if (++count % stepSize === 0) yield
      access.set(user, withSubject(access.get(user) ?? none, subject))
    }
  }
  for (const [user, { isAllowed }] of access) {
    if (++count % stepSize === 0) yield
    if (!isAllowed) access.delete(user)
  }
  return access
}

function withSubject({ subjects, isAllowed, larger }: UserAccess, { who: { id }, ...subject }: AccessSubject) {
  const known = larger.get(id)
  if (known !== undefined) return known
  const made = { subjects: [...subjects, id], isAllowed: isAllowed || subject.isAllowed, larger: new Map() }
  larger.set(id, made)
  return made
}

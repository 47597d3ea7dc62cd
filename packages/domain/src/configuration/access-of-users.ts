import { rulesAtDoor, usersNamedBy } from '../decision/applying-rules.ts'
import type { Door, Rule } from '../policy.ts'
import type { PolicyIndex } from '../decision/policy-index.ts'
import { stepSize } from '../steps.ts'
import type { Span } from '../time/zone.ts'
import type { RuleIds } from './unit-config.ts'

/** The rules that name a user, by door number: one object for all users with the same rules. */
export type UserAccess = {
  readonly rules: readonly Rule[]
  readonly isAllowed: boolean
  readonly doors: Readonly<Record<string, RuleIds>>
}

/** One rule at one door. */
type Grant = { readonly door: string; readonly rule: Rule }

/** The grants found so far, as one more than a smaller set, and the sets that one more makes of them. */
type GrantSet = {
  readonly smaller: GrantSet | undefined
  readonly grant: Grant | undefined
  readonly larger: Map<Grant, GrantSet>
}

export type NumberedDoor = readonly [unitDoor: string, door: Door]
type AccessInput = { index: PolicyIndex; doors: readonly NumberedDoor[]; span: Span }

/** The access of all users with at least one allow rule at one of the doors. */
export function* accessOfUsers(input: AccessInput): Generator<undefined, Map<string, UserAccess>> {
  const sets = yield* grantsOfUsers(input)
  const access = new Map<string, UserAccess>()
  const cache = new Map<GrantSet, UserAccess>()
  let count = 0
  for (const [user, set] of sets) {
    if (++count % stepSize === 0) yield
    const own = cache.get(set) ?? accessBy(set)
    cache.set(set, own)
    if (own.isAllowed) access.set(user, own)
  }
  return access
}

function* grantsOfUsers({ index, doors, span }: AccessInput): Generator<undefined, Map<string, GrantSet>> {
  const none: GrantSet = { smaller: undefined, grant: undefined, larger: new Map() }
  const sets = new Map<string, GrantSet>()
  let count = 0
  for (const grant of grantsAt({ index, doors, span })) {
    for (const user of usersNamedBy(index, grant.rule)) {
      if (++count % stepSize === 0) yield
      sets.set(user, withGrant(sets.get(user) ?? none, grant))
    }
  }
  return sets
}

function grantsAt({ index, doors, span }: AccessInput): Grant[] {
  return doors.flatMap(([number, door]) =>
    rulesAtDoor(index, door)
      .filter(({ adhoc }) => adhoc === null || Date.parse(adhoc.until) > span.from)
      .map((rule) => ({ door: number, rule })),
  )
}

/** A rule may name a user directly and through groups. */
function withGrant(set: GrantSet, grant: Grant): GrantSet {
  if (set.grant === grant) return set
  const larger = set.larger.get(grant) ?? { smaller: set, grant, larger: new Map() }
  set.larger.set(grant, larger)
  return larger
}

function accessBy(set: GrantSet): UserAccess {
  const grants: Grant[] = []
  for (let each: GrantSet | undefined = set; each?.grant; each = each.smaller) grants.push(each.grant)
  const byDoor = Object.entries(Object.groupBy(grants, ({ door }) => door)).map(([door, own = []]) => {
    const ids = (effect: Rule['effect']) => own.flatMap(({ rule }) => (rule.effect === effect ? [rule._id] : [])).sort()
    return [door, { allow: ids('allow'), deny: ids('deny') }] as const
  })
  return {
    rules: [...new Set(grants.map(({ rule }) => rule))],
    isAllowed: grants.some(({ rule }) => rule.effect === 'allow'),
    doors: Object.fromEntries(byDoor.sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

import { doorInPolicy } from './door-in-policy.ts'
import { type Ref, ref } from './finding.ts'
import type { Door, LockdownPlan, Where } from '../policy.ts'
import { type PolicyIndex, subjectKey } from './policy-index.ts'

/** For each lockdown of a door, the user groups that it lets pass: only users whom all of them let pass may pass. */
export type MayPass = readonly (readonly string[])[]

/** The exceptions of a door's lockdowns. Undefined if one of them lets no users pass. */
export function mayPassAt({ lockdowns = [] }: Pick<Door, 'lockdowns'>): MayPass | undefined {
  const groups = lockdowns.map(({ mayPass = [] }) => mayPass)
  return groups.length > 0 && groups.every(({ length }) => length > 0) ? groups : undefined
}

/** For each lockdown, the first group through which it lets a user pass. Undefined if one of them does not. */
export function passGroups(mayPass: MayPass | undefined, isIn: (group: string) => boolean): string[] | undefined {
  const found = mayPass?.flatMap((groups) => groups.find(isIn) ?? [])
  return found?.length === mayPass?.length ? found && [...new Set(found)] : undefined
}

/** The groups through which a user may pass during the lockdowns of a door; undefined: the user may not. */
export function passGroupsOf(
  { userGroups }: PolicyIndex,
  { door, user }: { door: Door | undefined; user: string | undefined },
): readonly Ref[] | undefined {
  if (door?.lockdowns === undefined || user === undefined) return undefined
  const found = passGroups(mayPassAt(door), (group) => userGroups.members.get(group)?.has(user) === true)
  return found?.map((_id) => ref(userGroups.groups.get(_id) ?? { _id }))
}

/**
 * The groups that a configuration names in its holders because of lockdowns: those of active ones, and of all plans for
 * the door, so that no exception waits for a configuration.
 */
export function groupsThatMayPass(index: PolicyIndex, door: Door): ReadonlySet<string> {
  const { subjects, lineage } = doorInPolicy(index, door)
  const names = ({ account, places }: LockdownPlan) =>
    lineage.includes(account) && places.some((place) => subjects.some(({ key }) => key === subjectKey(place)))
  return new Set([
    ...(door.lockdowns ?? []).flatMap(({ mayPass = [] }) => mayPass),
    ...plansWithExceptions(index).flatMap((plan) => (names(plan) ? plan.mayPass : [])),
  ])
}

/** The plans that let a group pass. */
export function plansLettingPass(index: PolicyIndex, group: string): LockdownPlan[] {
  return plansWithExceptions(index).filter(({ mayPass }) => mayPass.includes(group))
}

/** Whether a plan that lets users pass names a place. */
export function isPlaceOfException(index: PolicyIndex, { kind, id }: Where): boolean {
  return plansWithExceptions(index).some(({ places }) => places.some((place) => place.kind === kind && place.id === id))
}

function plansWithExceptions({ lockdownPlans }: PolicyIndex) {
  return [...lockdownPlans.values()].filter(({ mayPass }) => mayPass.length > 0)
}

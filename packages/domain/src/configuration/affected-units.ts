import type { Credential, Door, Holiday, LockdownPlan } from '../policy.ts'
import { markAccess } from './access-basis.ts'
import { type GroupList, type PolicyIndex, subjectKey, type UpdatableIndex } from '../decision/policy-index.ts'
import { rulesNaming } from '../decision/applying-rules.ts'
import { interlockedDoors } from '../decision/door-conditions.ts'
import { sameNumber } from '../decision/presented-credential.ts'
import { doorsOfRules, type RulePlaces } from '../decision/doors-of-rules.ts'
import { isPlaceOfException, plansLettingPass } from '../decision/lockdown-exceptions.ts'
import {
  changeMembers,
  type ChangeMembers,
  type PolicyList,
  setItems,
  type StoredItems,
} from '../decision/update-index.ts'

/** The units whose configurations may differ after a change. */
export type AffectedUnits = ReadonlySet<string> | 'all'

/** Replaces the items under one id, and returns the units that this may affect: by the previous and by the new ones. */
export function applyItems<List extends PolicyList>(index: UpdatableIndex, stored: StoredItems<List>): AffectedUnits {
  const { list, id } = stored
  const before = textOf(index, { list, id })
  const [units, subjects] = [new Set(unitsOf[list](index, id)), new Set(subjectsOf[list]?.(index, id))]
  setItems(index, stored)
  if (textOf(index, { list, id }) === before) return new Set()
  for (const subject of subjectsOf[list]?.(index, id) ?? []) subjects.add(subject)
  markAccess(index, list === 'accounts' ? 'all' : subjects)
  return list === 'accounts' ? 'all' : new Set([...units, ...unitsOf[list](index, id)])
}

/** The same for members of a group. */
export function applyMembers(index: UpdatableIndex, change: ChangeMembers): AffectedUnits {
  const { list, group, added, removed } = change
  const units = unitsOfMembers(index, { list, group, members: [...added, ...removed] })
  changeMembers(index, change)
  if (list === 'userGroups') markAccess(index, [group])
  return units
}

/** The items under an id, without the field that no configuration contains. */
function textOf(index: PolicyIndex, { list, id }: { list: PolicyList; id: string }) {
  const isLeftOut = (key: string) => key === 'name' && list !== 'doors'
  return JSON.stringify(itemsOf(index, { list, id }), (key, value: unknown) => (isLeftOut(key) ? undefined : value))
}

/** The users and user groups whose holders and credentials the items under an id change. Other lists change the rules of a unit. */
const subjectsOf: { readonly [List in PolicyList]?: (index: PolicyIndex, id: string) => Iterable<string> } = {
  users: subjectsOfUser,
  credentials: (index, id) =>
    found(index.credentials.get(id))
      .flatMap((credential) => usersFoundBy(index, credential))
      .flatMap((user) => subjectsOfUser(index, user)),
  userGroups: (_index, id) => [id],
}

function subjectsOfUser({ userGroups }: PolicyIndex, user: string) {
  return [user, ...(userGroups.groupsOf.get(user) ?? [])]
}

function itemsOf(index: PolicyIndex, { list, id }: { list: PolicyList; id: string }): unknown {
  switch (list) {
    case 'users':
      return index.membershipsOfUser.get(id)
    case 'schedules':
      return index.storedSchedules.get(id)
    case 'userGroups':
    case 'doorGroups':
    case 'siteGroups':
    case 'interlockingGroups':
      return index[list].groups.get(id)
    default:
      return index[list].get(id)
  }
}

const unitsOf: { readonly [List in PolicyList]: (index: PolicyIndex, id: string) => Iterable<string> } = {
  accounts: () => [],
  sites: (index, id) => unitsOfDoors(index.doorsOfSite.get(id) ?? []),
  doors: (index, id) =>
    found(index.doors.get(id)).flatMap((door) => unitsOfDoors([door, ...interlockedDoors(index, door)])),
  units: (_index, id) => [id],
  users: unitsOfUser,
  credentials: (index, id) => found(index.credentials.get(id)).flatMap((each) => unitsOfCredential(index, each)),
  userGroups: (index, id) => unitsOfGroup(index, { list: 'userGroups', id }),
  doorGroups: (index, id) => unitsOfGroup(index, { list: 'doorGroups', id }),
  siteGroups: (index, id) => unitsOfGroup(index, { list: 'siteGroups', id }),
  interlockingGroups: (index, id) => unitsOfGroup(index, { list: 'interlockingGroups', id }),
  rules: (index, id) => unitsOfRules(index, found(index.rules.get(id))),
  schedules: (index, id) => [
    ...unitsOfRules(
      index,
      index.rules.values().filter(({ schedule }) => schedule === id),
    ),
    ...unitsOfDoors(
      index.doors
        .values()
        .filter(({ unlockSchedule }) => unlockSchedule === id)
        .toArray(),
    ),
  ],
  holidays: (index, id) => found(index.holidays.get(id)).flatMap((holiday) => unitsOfHoliday(index, holiday)),
  lockdownPlans: (index, id) => unitsOfPlans(index, found(index.lockdownPlans.get(id))),
}

function unitsOfDoors(doors: readonly Door[]) {
  return doors.flatMap(({ unit }) => unit ?? [])
}

/** The units of the doors at which a rule names the user, directly or through a group. */
function unitsOfUser(index: PolicyIndex, user: string) {
  return unitsOfRules(index, rulesNaming(index, user))
}

function unitsOfCredential(index: PolicyIndex, credential: Credential) {
  return usersFoundBy(index, credential).flatMap((user) => [...unitsOfUser(index, user)])
}

/** Also users whose credentials have the same number: it may now identify theirs. */
function usersFoundBy(index: PolicyIndex, credential: Credential) {
  return [credential, ...sameNumber(index, credential)].flatMap(({ user }) => user ?? [])
}

function unitsOfGroup(index: PolicyIndex, { list, id }: { list: GroupList; id: string }) {
  return unitsOfMembers(index, { list, group: id, members: index[list].members.get(id) ?? [] })
}

type MembersOfGroup = { list: GroupList; group: string; members: Iterable<string> }

function unitsOfMembers(index: PolicyIndex, { list, group, members }: MembersOfGroup): Set<string> {
  if (list === 'userGroups') return unitsOfUserGroup(index, group)
  const isArea = list === 'doorGroups' && index.doorGroups.groups.get(group)?.antiPassback
  if (isArea) return unitsOfDoorIds(index, members)
  if (list === 'interlockingGroups')
    return unitsOfDoorIds(index, [...members, ...(index.interlockingGroups.members.get(group) ?? [])])
  const kind = list === 'doorGroups' ? 'Door Group' : 'Site Group'
  const place = { kind, id: group } as const
  if (!index.rulesByWhere.has(subjectKey(place)) && !isPlaceOfException(index, place)) return new Set()
  if (list === 'doorGroups') return unitsOfDoorIds(index, members)
  return new Set([...members].flatMap((id) => unitsOfDoors(index.doorsOfSite.get(id) ?? [])))
}

/** The units of the doors at which a rule names the group, and of those at which its members pass first, or during a lockdown. */
function unitsOfUserGroup(index: PolicyIndex, group: string) {
  const units = unitsOfRules(index, index.rulesByWho.get(subjectKey({ kind: 'User Group', id: group })) ?? [])
  for (const unit of unitsOfDoors(index.doorsOfUserGroups.get(group) ?? [])) units.add(unit)
  for (const unit of unitsOfPlans(index, plansLettingPass(index, group))) units.add(unit)
  return units
}

/** Holders name the groups that a plan lets pass. */
function unitsOfPlans(index: PolicyIndex, plans: readonly LockdownPlan[]) {
  const lettingPass = plans.filter(({ mayPass }) => mayPass.length > 0)
  return unitsOfRules(
    index,
    lettingPass.map(({ account, places: where }) => ({ enabled: true, account, where })),
  )
}

function unitsOfDoorIds(index: PolicyIndex, ids: Iterable<string>) {
  return new Set([...ids].flatMap((id) => unitsOfDoors(found(index.doors.get(id)))))
}

function unitsOfRules(index: PolicyIndex, rules: Iterable<RulePlaces>): Set<string> {
  return new Set(unitsOfDoors([...doorsOfRules(index, rules)]))
}

function unitsOfHoliday(index: PolicyIndex, holiday: Holiday) {
  return unitsOfDoors(doorsOfHoliday(index, holiday))
}

/** The doors at all sites of the holiday's account and those below that follow its calendar. */
export function doorsOfHoliday(index: PolicyIndex, { account, calendar }: Holiday) {
  const sites = [...index.sites.values()].filter(
    (site) =>
      (calendar === null || site.calendars.includes(calendar)) && index.lineageOf(site.account).includes(account),
  )
  return sites.flatMap(({ _id }) => index.doorsOfSite.get(_id) ?? [])
}

function found<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item]
}

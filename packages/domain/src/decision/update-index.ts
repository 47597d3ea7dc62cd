import type { Credential, Door, Policy, Rule, User } from '../policy.ts'
import { scheduleTable } from '../time/schedule-table.ts'
import { type GroupList, type NamedGroup, subjectKey, type UpdatableIndex } from './policy-index.ts'

export type PolicyList = keyof PolicyItems

export type PolicyItems = {
  readonly [List in Exclude<keyof Policy, 'version' | GroupList>]: Policy[List][number]
} & { readonly [List in GroupList]: NamedGroup }

/** All items that are now stored under one id: none, one, or the memberships of a user. Members of groups are separate. */
export type StoredItems<List extends PolicyList> = {
  readonly list: List
  readonly id: string
  readonly items: readonly PolicyItems[List][]
}

/** Replaces the items under one id in every map of the index. */
export function setItems<List extends PolicyList>(index: UpdatableIndex, { list, id, items }: StoredItems<List>): void {
  const set: Setters[List] = setters[list]
  set(index, id, items)
}

type Setters = {
  readonly [List in PolicyList]: (index: UpdatableIndex, id: string, items: readonly PolicyItems[List][]) => void
}

const setters: Setters = {
  accounts: ({ accounts, computed }, id, [account]) => {
    setOrDelete(accounts, id, account)
    computed.lineages.clear()
    computed.recertifyEveryDays.clear()
    computed.calendars.clear()
    forgetDoors(computed)
  },
  sites: ({ sites, computed }, id, [site]) => {
    setOrDelete(sites, id, site)
    for (const key of computed.calendars.keys()) if (key.startsWith(`${id} `)) computed.calendars.delete(key)
    forgetDoors(computed)
  },
  units: ({ units, computed }, id, [unit]) => {
    setOrDelete(units, id, unit)
    forgetDoors(computed)
  },
  doors: setDoor,
  users: setMemberships,
  credentials: setCredential,
  userGroups: (index, id, [group]) => setGroup(index, { list: 'userGroups', id, group }),
  doorGroups: (index, id, [group]) => setGroup(index, { list: 'doorGroups', id, group }),
  siteGroups: (index, id, [group]) => setGroup(index, { list: 'siteGroups', id, group }),
  interlockingGroups: (index, id, [group]) => setGroup(index, { list: 'interlockingGroups', id, group }),
  rules: setRule,
  schedules: ({ storedSchedules, schedules }, id, [schedule]) => {
    setOrDelete(storedSchedules, id, schedule)
    setOrDelete(schedules, id, schedule && { _id: id, name: schedule.name, table: scheduleTable(schedule) })
  },
  holidays: ({ holidays, computed }, id, [holiday]) => {
    setOrDelete(holidays, id, holiday)
    computed.calendars.clear()
    forgetDoors(computed)
  },
  lockdownPlans: ({ lockdownPlans }, id, [plan]) => setOrDelete(lockdownPlans, id, plan),
}

export type ChangeMembers = {
  readonly list: GroupList
  readonly group: string
  readonly added: Iterable<string>
  readonly removed: Iterable<string>
}

/** Members of a group that the index does not have are ignored with it. */
export function changeMembers(index: UpdatableIndex, { list, group, added, removed }: ChangeMembers): void {
  const { groups, members, groupsOf } = index[list]
  if (!groups.has(group)) return
  // Doors refer to the set of a group of users, which changes in place.
  if (list !== 'userGroups' || !members.has(group)) forgetDoors(index.computed)
  const own = members.get(group) ?? new Set()
  members.set(group, own)
  for (const member of removed) if (own.delete(member)) dropFrom(groupsOf, member, { id: group, idOf: itself })
  for (const text of added) {
    const member = list === 'userGroups' ? sharedUser(index, text) : text
    if (own.has(member)) continue
    own.add(member)
    putInto(groupsOf, member, { entry: group, idOf: itself })
  }
}

type SetGroup = { readonly list: GroupList; readonly id: string; readonly group: NamedGroup | undefined }

function setGroup(index: UpdatableIndex, { list, id, group }: SetGroup) {
  const { groups, members, groupsOf } = index[list]
  setOrDelete(groups, id, group)
  forgetDoors(index.computed)
  if (group !== undefined) return
  for (const member of members.get(id) ?? []) dropFrom(groupsOf, member, { id, idOf: itself })
  members.delete(id)
}

function setDoor(index: UpdatableIndex, id: string, [door]: readonly Door[]) {
  const before = index.doors.get(id)
  setOrDelete(index.doors, id, door)
  forgetDoors(index.computed)
  relist(index.doorsOfUnit, { before, after: door, keysOf: ({ unit }) => (unit === null ? [] : [unit]) })
  relist(index.doorsOfSite, { before, after: door, keysOf: ({ site }) => [site] })
  relist(index.doorsOfUserGroups, {
    before,
    after: door,
    keysOf: ({ firstPersonGroup, lockdowns = [] }) => [
      ...(firstPersonGroup ? [firstPersonGroup] : []),
      ...lockdowns.flatMap(({ mayPass = [] }) => mayPass),
    ],
  })
}

function setMemberships(index: UpdatableIndex, id: string, users: readonly User[]) {
  if (users.length === 0) {
    index.membershipsOfUser.delete(id)
    return
  }
  const _id = sharedUser(index, id)
  const memberships = users.map((user) => ({ ...user, _id, account: sharedAccount(index, user.account) }))
  index.membershipsOfUser.set(
    _id,
    memberships.sort((a, b) => (a.account < b.account ? -1 : 1)),
  )
}

function setCredential(index: UpdatableIndex, id: string, [stored]: readonly Credential[]) {
  const before = index.credentials.get(id)
  const after = stored && {
    ...stored,
    account: sharedAccount(index, stored.account),
    user: stored.user === null ? null : sharedUser(index, stored.user),
  }
  setOrDelete(index.credentials, id, after)
  relist(index.credentialsOfUser, { before, after, keysOf: ({ user }) => (user === null ? [] : [user]) })
  const numberIf = (isPin: boolean) => (each: Credential) => ((each.kind === 'pin') === isPin ? [each.number] : [])
  relist(index.credentialsByNumber, { before, after, keysOf: numberIf(false) })
  relist(index.credentialsByPin, { before, after, keysOf: numberIf(true) })
}

function setRule(index: UpdatableIndex, id: string, [rule]: readonly Rule[]) {
  const before = index.rules.get(id)
  setOrDelete(index.rules, id, rule)
  forgetDoors(index.computed)
  relist(index.rulesByWho, { before, after: rule, keysOf: ({ enabled, who }) => (enabled ? who.map(subjectKey) : []) })
  relist(index.rulesByWhere, {
    before,
    after: rule,
    keysOf: ({ enabled, where }) => (enabled ? where.map(subjectKey) : []),
  })
  if (before) index.whereOfRule.delete(before)
  if (rule?.enabled) index.whereOfRule.set(rule, new Set(rule.where.map(subjectKey)))
}

/** After a change of anything that `doorInPolicy` reads; each is computed again when a decision needs it. */
function forgetDoors(computed: UpdatableIndex['computed']) {
  computed.doors = new WeakMap()
}

/** One text for each id, because thousands of items repeat it. */
function sharedAccount({ accounts }: UpdatableIndex, id: string) {
  return accounts.get(id)?._id ?? id
}

function sharedUser({ membershipsOfUser }: UpdatableIndex, id: string) {
  return membershipsOfUser.get(id)?.[0]?._id ?? id
}

function setOrDelete<T>(map: Map<string, T>, id: string, item: T | undefined) {
  if (item === undefined) map.delete(id)
  else map.set(id, item)
}

type Identified = { readonly _id: string }
type Lists<T> = Map<string, T[]>

type Relist<T> = {
  readonly before: T | undefined
  readonly after: T | undefined
  readonly keysOf: (item: T) => readonly string[]
}

/** Moves an item between the lists of its keys, each sorted by id so that no result depends on the order of changes. */
function relist<T extends Identified>(lists: Lists<T>, { before, after, keysOf }: Relist<T>) {
  const left = new Set(before && keysOf(before))
  for (const key of new Set(after && keysOf(after))) {
    left.delete(key)
    if (after) putInto(lists, key, { entry: after, idOf })
  }
  for (const key of left) if (before) dropFrom(lists, key, { id: before._id, idOf })
}

function idOf({ _id }: Identified) {
  return _id
}

function itself(id: string) {
  return id
}

/** Up to this length a list is replaced, which keeps it as short in memory as its items; a longer one is changed. */
const shortList = 16

function putInto<T>(lists: Lists<T>, key: string, { entry, idOf }: { entry: T; idOf: (entry: T) => string }) {
  const list = lists.get(key)
  if (list === undefined) {
    lists.set(key, [entry])
    return
  }
  const { place, isListed } = placeIn(list, { id: idOf(entry), idOf })
  const replaced = isListed ? 1 : 0
  if (list.length < shortList) lists.set(key, list.toSpliced(place, replaced, entry))
  else list.splice(place, replaced, entry)
}

function dropFrom<T>(lists: Lists<T>, key: string, sought: Sought<T>) {
  const list = lists.get(key)
  if (list === undefined) return
  const { place, isListed } = placeIn(list, sought)
  if (!isListed) return
  if (list.length === 1) lists.delete(key)
  else if (list.length <= shortList) lists.set(key, list.toSpliced(place, 1))
  else list.splice(place, 1)
}

type Sought<T> = { readonly id: string; readonly idOf: (entry: T) => string }

/** Where an entry is in a sorted list, or belongs. The last place first: a load appends. */
function placeIn<T>(list: readonly T[], { id, idOf }: Sought<T>) {
  const last = list.at(-1)
  if (last !== undefined && idOf(last) < id) return { place: list.length, isListed: false }
  let [place, end] = [0, list.length]
  while (place < end) {
    const middle = (place + end) >> 1
    const entry = list[middle]
    if (entry !== undefined && idOf(entry) < id) place = middle + 1
    else end = middle
  }
  const found = list[place]
  return { place, isListed: found !== undefined && idOf(found) === id }
}

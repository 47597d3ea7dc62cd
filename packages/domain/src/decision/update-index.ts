import type { Credential, Door, Policy, Rule, User } from '../policy.ts'
import { scheduleTable } from '../time/schedule-table.ts'
import { type GroupIndex, type GroupList, type NamedGroup, subjectKey, type UpdatableIndex } from './policy-index.ts'

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
    computed.calendars.clear()
  },
  sites: ({ sites, computed }, id, [site]) => {
    setOrDelete(sites, id, site)
    for (const key of computed.calendars.keys()) if (key.startsWith(`${id} `)) computed.calendars.delete(key)
  },
  units: ({ units }, id, [unit]) => setOrDelete(units, id, unit),
  doors: setDoor,
  users: setMemberships,
  credentials: setCredential,
  userGroups: ({ userGroups }, id, [group]) => setGroup(userGroups, id, group),
  doorGroups: ({ doorGroups }, id, [group]) => setGroup(doorGroups, id, group),
  siteGroups: ({ siteGroups }, id, [group]) => setGroup(siteGroups, id, group),
  rules: setRule,
  schedules: ({ storedSchedules, schedules }, id, [schedule]) => {
    setOrDelete(storedSchedules, id, schedule)
    setOrDelete(schedules, id, schedule && { _id: id, name: schedule.name, table: scheduleTable(schedule) })
  },
  holidays: ({ holidays, computed }, id, [holiday]) => {
    setOrDelete(holidays, id, holiday)
    computed.calendars.clear()
  },
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
  const own = members.get(group) ?? new Set()
  members.set(group, own)
  for (const member of removed) if (own.delete(member)) dropFrom(groupsOf, member, (id) => id === group)
  for (const text of added) {
    const member = list === 'userGroups' ? sharedUser(index, text) : text
    if (own.has(member)) continue
    own.add(member)
    addTo(groupsOf, member, { entry: group, placeOf: (id) => id })
  }
}

function setGroup({ groups, members, groupsOf }: GroupIndex, id: string, group: NamedGroup | undefined) {
  setOrDelete(groups, id, group)
  if (group !== undefined) return
  for (const member of members.get(id) ?? []) dropFrom(groupsOf, member, (each) => each === id)
  members.delete(id)
}

function setDoor(index: UpdatableIndex, id: string, [door]: readonly Door[]) {
  const before = index.doors.get(id)
  setOrDelete(index.doors, id, door)
  relist(index.doorsOfUnit, { before, after: door, keysOf: ({ unit }) => (unit === null ? [] : [unit]) })
  relist(index.doorsOfSite, { before, after: door, keysOf: ({ site }) => [site] })
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
  relist(index.credentialsByNumber, { before, after, keysOf: numbersOf })
}

function numbersOf({ kind, number }: Credential) {
  return kind === 'pin' ? [] : [number]
}

function setRule(index: UpdatableIndex, id: string, [rule]: readonly Rule[]) {
  const before = index.rules.get(id)
  setOrDelete(index.rules, id, rule)
  relist(index.rulesByWho, { before, after: rule, keysOf: ({ enabled, who }) => (enabled ? who.map(subjectKey) : []) })
  relist(index.rulesByWhere, {
    before,
    after: rule,
    keysOf: ({ enabled, where }) => (enabled ? where.map(subjectKey) : []),
  })
  if (before) index.whereOfRule.delete(before)
  if (rule?.enabled) index.whereOfRule.set(rule, new Set(rule.where.map(subjectKey)))
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
type Lists<T> = Map<string, readonly T[]>

type Relist<T> = {
  readonly before: T | undefined
  readonly after: T | undefined
  readonly keysOf: (item: T) => readonly string[]
}

/** Moves an item between the lists of its keys, each sorted by id so that no result depends on the order of changes. */
function relist<T extends Identified>(lists: Lists<T>, { before, after, keysOf }: Relist<T>) {
  if (before) for (const key of new Set(keysOf(before))) dropFrom(lists, key, (item) => item === before)
  if (after) {
    for (const key of new Set(keysOf(after))) addTo(lists, key, { entry: after, placeOf: ({ _id }) => _id })
  }
}

// Lists are replaced, which keeps them as short in memory as their items.
function addTo<T>(lists: Lists<T>, key: string, { entry, placeOf }: { entry: T; placeOf: (entry: T) => string }) {
  const list = lists.get(key)
  if (list === undefined) {
    lists.set(key, [entry])
    return
  }
  const place = list.findLastIndex((each) => placeOf(each) < placeOf(entry)) + 1
  lists.set(key, list.toSpliced(place, 0, entry))
}

function dropFrom<T>(lists: Lists<T>, key: string, isDropped: (entry: T) => boolean) {
  const left = lists.get(key)?.filter((each) => !isDropped(each)) ?? []
  if (left.length === 0) lists.delete(key)
  else lists.set(key, left)
}

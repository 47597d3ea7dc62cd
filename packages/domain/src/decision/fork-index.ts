import { LayeredMap } from './layered-map.ts'
import { type GroupIndex, lineageFinder, type PolicyIndex, type UpdatableIndex } from './policy-index.ts'

/**
 * An index that begins as another one, in which the policy can be changed without changing that one. It costs as much as
 * the items that are changed in it or read from it, not as the policy. The other index must not change while it is used.
 */
export function forkIndex(index: PolicyIndex): UpdatableIndex {
  const accounts = layer(index.accounts)
  const computed: UpdatableIndex['computed'] = {
    lineages: new Map(index.computed.lineages),
    recertifyEveryDays: new Map(index.computed.recertifyEveryDays),
    calendars: new Map(index.computed.calendars),
    doors: new WeakMap(),
  }
  return {
    version: index.version,
    accounts,
    sites: layer(index.sites),
    doors: layer(index.doors),
    doorsOfUnit: lists(index.doorsOfUnit),
    doorsOfSite: lists(index.doorsOfSite),
    doorsOfUserGroups: lists(index.doorsOfUserGroups),
    units: layer(index.units),
    membershipsOfUser: layer(index.membershipsOfUser),
    credentials: layer(index.credentials),
    credentialsOfUser: lists(index.credentialsOfUser),
    credentialsByNumber: lists(index.credentialsByNumber),
    credentialsByPin: lists(index.credentialsByPin),
    userGroups: groupLayer(index.userGroups),
    doorGroups: groupLayer(index.doorGroups),
    siteGroups: groupLayer(index.siteGroups),
    interlockingGroups: groupLayer(index.interlockingGroups),
    rules: layer(index.rules),
    rulesByWho: lists(index.rulesByWho),
    rulesByWhere: lists(index.rulesByWhere),
    whereOfRule: layer(index.whereOfRule),
    storedSchedules: layer(index.storedSchedules),
    schedules: layer(index.schedules),
    holidays: layer(index.holidays),
    lockdownPlans: layer(index.lockdownPlans),
    accessMarks: layer(index.accessMarks),
    lineageOf: lineageFinder(accounts, computed),
    computed,
  }
}

function layer<K, V>(base: ReadonlyMap<K, V>): Map<K, V> {
  return new LayeredMap(base, (value) => value)
}

/** Lists change in place. */
function lists<K, T>(base: ReadonlyMap<K, readonly T[]>): Map<K, T[]> {
  return new LayeredMap(base, (list) => [...list])
}

function groupLayer({ groups, members, groupsOf }: PolicyIndex['userGroups']): GroupIndex {
  return {
    groups: layer(groups),
    members: new LayeredMap(members, (own: ReadonlySet<string>) => new Set(own)),
    groupsOf: lists(groupsOf),
  }
}

import type { ScheduleFacts, SiteCalendar } from './access-facts.ts'
import { lineageOf } from '../account-tree.ts'
import type { Account, Credential, Door, Group, Policy, Rule, Site, Unit, User, Where, Who } from '../policy.ts'
import { scheduleTable } from '../time/schedule-table.ts'

/**
 * A policy indexed for look-ups, built once per version and then only read, except that calendars are filled on demand.
 */
export type PolicyIndex = {
  readonly policy: Policy
  readonly accounts: ReadonlyMap<string, Account>
  readonly sites: ReadonlyMap<string, Site>
  readonly doors: ReadonlyMap<string, Door>
  readonly doorsOfUnit: ReadonlyMap<string, readonly Door[]>
  readonly units: ReadonlyMap<string, Unit>
  /** Memberships by `membershipKey`. */
  readonly memberships: ReadonlyMap<string, User>
  readonly userIds: ReadonlySet<string>
  readonly credentials: ReadonlyMap<string, Credential>
  readonly credentialsOfUser: ReadonlyMap<string, readonly Credential[]>
  /** Without PINs, which do not identify a user by themselves. */
  readonly credentialsByNumber: ReadonlyMap<string, readonly Credential[]>
  readonly userGroups: ReadonlyMap<string, Group>
  readonly groupsOfUser: ReadonlyMap<string, readonly Group[]>
  readonly groupsOfDoor: ReadonlyMap<string, readonly Group[]>
  readonly groupsOfSite: ReadonlyMap<string, readonly Group[]>
  /** Enabled rules only, by `subjectKey`. */
  readonly rulesByWho: ReadonlyMap<string, readonly Rule[]>
  readonly rulesByWhere: ReadonlyMap<string, readonly Rule[]>
  readonly whereOfRule: ReadonlyMap<Rule, ReadonlySet<string>>
  readonly schedules: ReadonlyMap<string, ScheduleFacts>
  /** The account itself and those above it, nearest first. */
  readonly lineageOf: (account: string) => readonly string[]
  readonly calendars: Map<string, SiteCalendar | undefined>
}

export function policyIndex(policy: Policy): PolicyIndex {
  const accounts = byId(policy.accounts)
  const rules = policy.rules.filter(({ enabled }) => enabled)
  const lineages = new Map<string, readonly string[]>()
  return {
    policy,
    accounts,
    sites: byId(policy.sites),
    doors: byId(policy.doors),
    doorsOfUnit: listedBy(policy.doors, ({ unit }) => (unit === null ? [] : [unit])),
    units: byId(policy.units),
    memberships: new Map(policy.users.map((user) => [membershipKey(user._id, user.account), user])),
    userIds: new Set(policy.users.map(({ _id }) => _id)),
    credentials: byId(policy.credentials),
    credentialsOfUser: listedBy(policy.credentials, ({ user }) => (user === null ? [] : [user])),
    credentialsByNumber: listedBy(policy.credentials, ({ kind, number }) => (kind === 'pin' ? [] : [number])),
    userGroups: byId(policy.userGroups),
    groupsOfUser: listedBy(policy.userGroups, ({ members }) => members),
    groupsOfDoor: listedBy(policy.doorGroups, ({ members }) => members),
    groupsOfSite: listedBy(policy.siteGroups, ({ members }) => members),
    rulesByWho: listedBy(rules, ({ who }) => who.map(subjectKey)),
    rulesByWhere: listedBy(rules, ({ where }) => where.map(subjectKey)),
    whereOfRule: new Map(rules.map((rule) => [rule, new Set(rule.where.map(subjectKey))])),
    schedules: new Map(
      policy.schedules.map((schedule) => [
        schedule._id,
        { _id: schedule._id, name: schedule.name, table: scheduleTable(schedule) },
      ]),
    ),
    lineageOf: (account) => {
      const lineage = lineages.get(account) ?? lineageOf(accounts, account)
      lineages.set(account, lineage)
      return lineage
    },
    calendars: new Map(),
  }
}

export function membershipKey(user: string, account: string): string {
  return `${user}@${account}`
}

export function subjectKey({ kind, id }: Who | Where): string {
  return `${kind} ${id}`
}

type Identified = { readonly _id: string }

function byId<T extends Identified>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item._id, item]))
}

/** The items by each of their keys, sorted by id so that the result does not depend on the input order. */
function listedBy<T extends Identified>(items: readonly T[], keysOf: (item: T) => readonly string[]): Map<string, T[]> {
  const lists = new Map<string, T[]>()
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const list = lists.get(key)
      if (list === undefined) lists.set(key, [item])
      else list.push(item)
    }
  }
  for (const list of lists.values()) list.sort((a, b) => (a._id < b._id ? -1 : 1))
  return lists
}

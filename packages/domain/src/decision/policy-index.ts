import type { ScheduleFacts, SiteCalendar } from './access-facts.ts'
import { lineageOf } from '../account-tree.ts'
import type { DoorInPolicy } from './door-in-policy.ts'
import type {
  Account,
  Credential,
  Door,
  Group,
  Holiday,
  LockdownPlan,
  Policy,
  Rule,
  Schedule,
  Site,
  Unit,
  User,
  Where,
  Who,
} from '../policy.ts'

/**
 * A policy indexed for look-ups. `update-index.ts` keeps it up to date item by item; everything else only reads it,
 * without an interruption where the result must belong to one version. Its lists are sorted by id and change in place, so
 * work in several steps copies them first.
 */
export type PolicyIndex = { readonly [Field in keyof UpdatableIndex]: View<UpdatableIndex[Field]> }

export type UpdatableIndex = {
  /** The version of the policy that it has reached. */
  version: number
  accounts: Map<string, Account>
  sites: Map<string, Site>
  doors: Map<string, Door>
  doorsOfUnit: Map<string, Door[]>
  doorsOfSite: Map<string, Door[]>
  /** By the user groups that must pass first, or that pass during an active lockdown. */
  doorsOfUserGroups: Map<string, Door[]>
  units: Map<string, Unit>
  /** By account. */
  membershipsOfUser: Map<string, readonly User[]>
  credentials: Map<string, Credential>
  credentialsOfUser: Map<string, Credential[]>
  /** Without PINs: no number that a reader reads, or that a user asks about, finds one. */
  credentialsByNumber: Map<string, Credential[]>
  credentialsByPin: Map<string, Credential[]>
  userGroups: GroupIndex
  doorGroups: GroupIndex
  siteGroups: GroupIndex
  interlockingGroups: GroupIndex
  rules: Map<string, Rule>
  /** Enabled rules only, by `subjectKey`. */
  rulesByWho: Map<string, Rule[]>
  rulesByWhere: Map<string, Rule[]>
  whereOfRule: Map<Rule, ReadonlySet<string>>
  storedSchedules: Map<string, Schedule>
  schedules: Map<string, ScheduleFacts>
  holidays: Map<string, Holiday>
  lockdownPlans: Map<string, LockdownPlan>
  /** By user and user group, and under `all`: replaced when what they bring to a configuration changes. See `accessBasis`. */
  accessMarks: Map<string, symbol>
  /** The account itself and those above it, nearest first. */
  lineageOf: (account: string) => readonly string[]
  computed: ComputedFromIndex
}

/** Computed on demand, and again after a change of the data that they depend on. */
type ComputedFromIndex = {
  lineages: Map<string, readonly string[]>
  /** By account. */
  recertifyEveryDays: Map<string, number | null>
  calendars: Map<string, SiteCalendar | undefined>
  /** Replaced as a whole: most changes are of users and credentials, on which no door depends. */
  doors: WeakMap<Door, DoorInPolicy>
}

type View<T> =
  T extends Map<infer Key, infer Value> ? ReadonlyMap<Key, Value extends (infer Entry)[] ? readonly Entry[] : Value> : T

/** The groups of one kind: their members are users, doors or sites. */
export type GroupIndex = {
  readonly groups: Map<string, NamedGroup>
  readonly members: Map<string, Set<string>>
  /** The ids of the groups of each member. */
  readonly groupsOf: Map<string, string[]>
}

export type NamedGroup = Omit<Group, 'members'>

export const groupLists = [
  'userGroups',
  'doorGroups',
  'siteGroups',
  'interlockingGroups',
] as const satisfies readonly (keyof Policy)[]
export type GroupList = (typeof groupLists)[number]

export function emptyIndex(): UpdatableIndex {
  const accounts = new Map<string, Account>()
  const computed: ComputedFromIndex = {
    lineages: new Map(),
    recertifyEveryDays: new Map(),
    calendars: new Map(),
    doors: new WeakMap(),
  }
  return {
    version: 0,
    accounts,
    sites: new Map(),
    doors: new Map(),
    doorsOfUnit: new Map(),
    doorsOfSite: new Map(),
    doorsOfUserGroups: new Map(),
    units: new Map(),
    membershipsOfUser: new Map(),
    credentials: new Map(),
    credentialsOfUser: new Map(),
    credentialsByNumber: new Map(),
    credentialsByPin: new Map(),
    userGroups: emptyGroups(),
    doorGroups: emptyGroups(),
    siteGroups: emptyGroups(),
    interlockingGroups: emptyGroups(),
    rules: new Map(),
    rulesByWho: new Map(),
    rulesByWhere: new Map(),
    whereOfRule: new Map(),
    storedSchedules: new Map(),
    schedules: new Map(),
    holidays: new Map(),
    lockdownPlans: new Map(),
    accessMarks: new Map([['all', Symbol()]]),
    lineageOf: lineageFinder(accounts, computed),
    computed,
  }
}

/** Finds each lineage once. */
export function lineageFinder(
  accounts: ReadonlyMap<string, Account>,
  { lineages }: Pick<ComputedFromIndex, 'lineages'>,
): UpdatableIndex['lineageOf'] {
  return (account) => {
    const known = lineages.get(account)
    if (known !== undefined) return known
    const lineage = lineageOf(accounts, account)
    lineages.set(account, lineage)
    return lineage
  }
}

function emptyGroups(): GroupIndex {
  return { groups: new Map(), members: new Map(), groupsOf: new Map() }
}

/** The whole policy as lists; reads everything. */
export function policyOf(index: PolicyIndex): Policy {
  return {
    version: index.version,
    accounts: [...index.accounts.values()],
    sites: [...index.sites.values()],
    doors: [...index.doors.values()],
    units: [...index.units.values()],
    users: [...index.membershipsOfUser.values()].flat(),
    credentials: [...index.credentials.values()],
    userGroups: withMembers(index.userGroups),
    doorGroups: withMembers(index.doorGroups),
    siteGroups: withMembers(index.siteGroups),
    interlockingGroups: withMembers(index.interlockingGroups),
    rules: [...index.rules.values()],
    schedules: [...index.storedSchedules.values()],
    holidays: [...index.holidays.values()],
    lockdownPlans: [...index.lockdownPlans.values()],
  }
}

function withMembers({ groups, members }: GroupIndex): Group[] {
  return [...groups.values()].map((group) => ({ ...group, members: [...(members.get(group._id) ?? [])] }))
}

export function membershipKey(user: string, account: string): string {
  return `${user}@${account}`
}

export function subjectKey({ kind, id }: Who | Where): string {
  return `${kind} ${id}`
}

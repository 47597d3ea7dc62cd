import { lineageOf } from '@portcullis/domain/account-tree'
import { policyIndex } from '@portcullis/domain/decision/index-policy'
import type { GroupList, PolicyIndex } from '@portcullis/domain/decision/policy-index'
import type { Account, Credential, Door, Group, User } from '@portcullis/domain/policy'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import { type ReadThen, readerThen } from './items-then.ts'
import { type Membership, membershipsThen, rulesEverNaming } from './links-then.ts'

/** What an event names; `current` is the policy of its account tree now. */
export type DecisionItems = {
  account: string
  door: string
  unit: string | null
  credential: string
  user: string | null
  current: PolicyIndex
}

export type PolicyThen = Subjects & {
  at: string
  /** Only what the decision depends on. */
  index: PolicyIndex
  memberships: readonly Membership[]
  /** All that was read, by id, also what did not exist at that time. */
  ids: readonly string[]
  /** The keys of all accounts to which these items belong. */
  accounts: readonly number[]
}

/**
 * What one decision depends on, as it was at a moment, from the audit log. Reads every item by its id, and of whole
 * collections only the holidays of the door's account and those above it.
 */
export async function policyThen(
  tx: Transaction,
  { at, ...items }: DecisionItems & { at: string },
): Promise<PolicyThen> {
  const subjects = await subjectsThen(tx, { at, ...items })
  const { user, site, keys } = subjects
  const members = [items.door, ...given(user), ...given(site)]
  const memberships = await membershipsThen(tx, { members, door: items.door, at })
  const accounts = unique([...keys.values(), ...memberships.map(({ account }) => account)])
  const rules = await rulesEverNaming(tx, {
    who: [...given(user), ...groupsIn(memberships, 'userGroups')],
    where: [...members, ...groupsIn(memberships, 'doorGroups'), ...groupsIn(memberships, 'siteGroups')],
    accounts: subjects.lineage,
  })
  const index = await indexThen(readerThen(tx, at), { items, subjects, memberships, accounts, rules })
  const groups = memberships.map(({ group }) => group)
  const ids = unique([...members, items.credential, ...idsIn(index), ...rules, ...groups])
  return { ...subjects, at, index, memberships, ids, accounts }
}

function groupsIn(memberships: readonly Membership[], list: GroupList) {
  return memberships.filter((each) => each.list === list).map(({ group }) => group)
}

function idsIn({ accounts, units, storedSchedules, holidays }: PolicyIndex) {
  return [accounts, units, storedSchedules, holidays].flatMap((items) => [...items.keys()])
}

type Subjects = {
  door: Door | undefined
  credential: Credential | undefined
  /** The user of the credential at that time. */
  user: string | null
  site: string | null
  /** The accounts of the door and the credential, and those above them. */
  lineages: readonly Account[]
  /** Of the door alone: their rules and holidays apply. */
  lineage: readonly number[]
  keys: ReadonlyMap<string, number>
}

async function subjectsThen(tx: Transaction, input: DecisionItems & { at: string }): Promise<Subjects> {
  const { at, account, current } = input
  const read = readerThen(tx, at)
  const known = current.credentials.get(input.credential)
  const doorNow = current.doors.get(input.door)
  const unitNow = current.units.get(input.unit ?? '')
  const own = [doorNow, unitNow, known].flatMap((item) => given(item?.account))
  const nearby = unique([account, ...own].flatMap(current.lineageOf))
  const keys = await keysOf(tx, nearby)
  // The account of a deleted credential is unknown.
  const anywhere = known ? keys : await keysOf(tx, [...current.accounts.keys()])
  const [doors, credentials] = await Promise.all([
    read('doors', { ids: [input.door], accounts: [...keys.values()] }),
    read('credentials', { ids: [input.credential], accounts: [...anywhere.values()] }),
  ])
  const [door, credential] = [doors[0], credentials[0]]
  const lineages = await accountsThen(tx, { read, ids: [...nearby, ...given(credential?.account)], current, keys })
  const byId = new Map(lineages.map((each) => [each._id, each]))
  return {
    door,
    credential,
    user: credential?.user ?? input.user,
    site: door?.site ?? doorNow?.site ?? null,
    lineages,
    lineage: lineageOf(byId, door?.account ?? account).flatMap((id) => keys.get(id) ?? []),
    keys,
  }
}

type AccountsInput = { read: ReadThen; ids: readonly string[]; current: PolicyIndex; keys: Map<string, number> }

/**
 * Accounts and those above them at that time; they may have been moved since. One without history counts as it is. Adds
 * their keys to those that are known.
 */
async function accountsThen(tx: Transaction, { read, ids, current, keys }: AccountsInput): Promise<Account[]> {
  const found = new Map<string, Account>()
  let missing = unique(ids.flatMap(current.lineageOf))
  while (missing.length > 0) {
    const unknown = missing.filter((id) => !keys.has(id))
    if (unknown.length > 0) for (const [id, key] of await keysOf(tx, unknown)) keys.set(id, key)
    const accounts = missing.flatMap((id) => keys.get(id) ?? [])
    const past = new Map((await read('accounts', { ids: missing, accounts })).map((item) => [item._id, item]))
    const items = missing.flatMap((id) => given(past.get(id) ?? current.accounts.get(id)))
    for (const item of items) found.set(item._id, item)
    missing = unique(items.flatMap(({ parent }) => given(parent))).filter((parent) => !found.has(parent))
  }
  return [...found.values()]
}

async function keysOf(tx: Transaction, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx.rows(
    z.object({ id: z.uuid(), key: z.int() }),
    prepared(sql`select account_id as id, account_key as key from account where account_id = any(${ids}::uuid[])`),
  )
  return new Map(rows.map(({ id, key }) => [id, key]))
}

type IndexInput = {
  items: DecisionItems
  subjects: Subjects
  memberships: readonly Membership[]
  accounts: readonly number[]
  rules: readonly string[]
}

async function indexThen(read: ReadThen, { items, subjects, memberships, accounts, rules: ruleIds }: IndexInput) {
  const { door, credential, user, site, lineages, lineage, keys } = subjects
  const of = (ids: readonly string[]) => ({ ids: unique(ids), accounts })
  const idsOf = (list: GroupList) => groupsIn(memberships, list)
  const otherDoors = memberships.filter(({ list }) => list === 'interlockingGroups').map(({ member }) => member)
  const [sites, others, units, users, rules, holidays, userGroups, doorGroups, siteGroups, interlockingGroups] =
    await Promise.all([
      read('sites', of(given(site))),
      read('doors', of(otherDoors.filter((id) => id !== items.door))),
      read('units', of([...given(items.unit), ...given(door?.unit)])),
      membershipsOfUser(read, { user, accounts: [...keys.values()] }),
      read('rules', of(ruleIds)),
      read('holidays', { accounts: lineage }),
      read('userGroups', of([...idsOf('userGroups'), ...given(door?.firstPersonGroup)])),
      read('doorGroups', of(idsOf('doorGroups'))),
      read('siteGroups', of(idsOf('siteGroups'))),
      read('interlockingGroups', of(idsOf('interlockingGroups'))),
    ])
  const withMembers = membersThen(memberships)
  return policyIndex({
    version: 0,
    accounts: lineages,
    sites,
    doors: [...given(door), ...others],
    units,
    users,
    credentials: given(credential),
    userGroups: userGroups.map(withMembers),
    doorGroups: doorGroups.map(withMembers),
    siteGroups: siteGroups.map(withMembers),
    interlockingGroups: interlockingGroups.map(withMembers),
    rules,
    lockdownPlans: [],
    schedules: await read(
      'schedules',
      of([...rules.flatMap(({ schedule }) => given(schedule)), ...given(door?.unlockSchedule)]),
    ),
    holidays,
  })
}

/** A user has one item for each account. */
async function membershipsOfUser(read: ReadThen, { user, accounts }: { user: string | null; accounts: number[] }) {
  const found = await Promise.all(accounts.map((account) => read('users', { ids: given(user), accounts: [account] })))
  return found.flat() satisfies User[]
}

function membersThen(memberships: readonly Membership[]) {
  return (group: Omit<Group, 'members'>): Group => ({
    ...group,
    members: memberships.filter((each) => each.group === group._id && each.wasMember).map(({ member }) => member),
  })
}

function given<T>(value: T | null | undefined): T[] {
  return value === null || value === undefined ? [] : [value]
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

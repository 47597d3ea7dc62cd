import type { MovedItems } from '@portcullis/contract/moved-items'
import type { Collection } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { floorPlans } from '@portcullis/contract/collections/floor-plans'
import { interlockingGroups } from '@portcullis/contract/collections/interlocking-groups'
import { sites } from '@portcullis/contract/collections/sites'
import { units } from '@portcullis/contract/collections/units'
import { problem } from '@portcullis/contract/errors/problem'
import { membershipKey } from '@portcullis/domain/decision/policy-index'
import { accessByMove } from '@portcullis/domain/explore/access-by-move'
import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { readAccessChanges, visibleUpward } from '../abilities/read-access-changes.ts'
import type { AccessAt } from '../abilities/resolve-access.ts'
import { createItem } from '../collections/create.ts'
import { readItem } from '../collections/get.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { AccessIn } from '../http/access-in.ts'
import type { Policies } from '../policy/policies.ts'
import { runInSlices } from '../time-slices.ts'
import { leaveLinks } from './leave-links.ts'
import { namedCardholders } from '../collections/named-items.ts'
import { namesOfMove } from './names-of-move.ts'
import { countsOf, lockDoors, type MovePlan, type Places, lostUnlockSchedules, rulesOf } from './plan-move.ts'
import { recordMoves } from './record-moves.ts'

export type MoveServices = {
  database: Database
  policies: Policies
  accessIn: AccessIn
}
export type MoveInput = {
  access: Access
  toAccount: string
  /** The field of the request that names the account. */
  field: string
  isPreview: boolean
  /** Finds what moves. */
  plan: (tx: Transaction, places: Places) => Promise<MovePlan>
  /** The item whose history entry the answer names. */
  subject: string
}
type Sides = { from: AccessAt; to: AccessAt }

/** Moves controllers or a site of the current account to another account of the tree, or only reports what would move. */
export async function moveItems(services: MoveServices, input: MoveInput) {
  const { database } = services
  const { access, isPreview, subject } = input
  const { from, to } = await sidesOf(services, input)
  const places = { from: from.account.key, to: to.account.key }
  const plan = await database.asSystem((tx) => input.plan(tx, places))
  const { endedRules, ...cardholders } = await cardholdersOf(services, { access, to, plan })
  const leftRules = [...new Set([...rulesOf(plan), ...endedRules])]
  const names = await namesOfMove(database, { plan, leftRules, access })
  const visible = [...visibleUpward(from), ...visibleUpward(to)]
  const changes = await readAccessChanges(database, { before: from.upward, after: to.upward, visible })
  const answer = { ...countsOf(plan), leftRules: leftRules.length, names, ...changes, ...cardholders }
  if (isPreview || places.from === places.to)
    return { item: { ...answer, moved: false } satisfies MovedItems, entry: undefined }
  return database.asSystem(async (tx) => {
    lockTree(tx, { root: access.account.root, turn: 'alone' })
    const now = await input.plan(tx, places)
    const entries = await move(tx, {
      plan: now,
      from: { ...from, assumed: access.assumed },
      to: { ...to, assumed: access.assumed },
    })
    // Also refuses if the account to which they move has moved meanwhile: both are below the same top-level account.
    prove(tx, access)
    return {
      item: { ...answer, ...countsOf(now), leftRules: leftRules.length, moved: true } satisfies MovedItems,
      entry: entries.get(subject),
    }
  })
}

/** The user's rights in both accounts; refused unless they manage controllers and sites there, in one tree. */
async function sidesOf({ accessIn }: MoveServices, { access, toAccount, field }: MoveInput): Promise<Sides> {
  const from = await accessIn(access.account._id)
  const to = await accessIn(toAccount)
  for (const side of [from, to]) {
    for (const { subject } of [units, sites]) demand(side, { action: 'manage', subject })
  }
  if (to.account.root === from.account.root) return { from, to }
  throw new AppError(
    'unknown_reference',
    {},
    { fields: { [field]: problem('not_in_sight', { collection: 'accounts' }) } },
  )
}

type CardholdersInput = { access: Access; to: AccessAt; plan: MovePlan }

/** The cardholders who lose or gain doors, by the current policy; names of those whom the user may see. */
async function cardholdersOf({ database, policies }: MoveServices, { access, to, plan }: CardholdersInput) {
  const { index } = await policies.latestOfAccount(access.account.key)
  const { loses, gains, endedRules } = await runInSlices(
    accessByMove(index, {
      doors: plan.doors.flatMap(({ id }) => index.doors.get(id) ?? []),
      account: to.account._id,
      copiedSites: new Set(plan.copiedSites),
      now: Date.now(),
    }),
  )
  return { endedRules, losesDoors: await named(loses), gainsDoors: await named(gains) }

  async function named(users: readonly string[]) {
    const keys = users.flatMap((user) =>
      (index.membershipsOfUser.get(user) ?? []).map(({ account }) => membershipKey(user, account)),
    )
    const { items } = await namedCardholders(database, access, keys)
    const people = new Map(items.map(({ _id, name }) => [_id, { _id, name }]))
    return { count: users.length, people: [...people.values()] }
  }
}

/** Moves all rows; returns their history entries by item. */
async function move(tx: Transaction, { plan, from, to }: Sides & { plan: MovePlan }) {
  await lockDoors(
    tx,
    plan.doors.map(({ id }) => id),
  )
  await leaveLinks(tx, { plan, access: from })
  const copies = new Map<string, string>()
  for (const site of plan.copiedSites) copies.set(site, await copySite(tx, { site, to }))
  const [originals, copied] = [[...copies.keys()], [...copies.values()]]
  const account = to.account.key
  const doorIds = plan.doors.map(({ id }) => id)
  const scheduleless = lostUnlockSchedules(plan).map(({ door }) => door)
  const siteOf = (site: Sql) =>
    sql`coalesce((${copied}::uuid[])[array_position(${originals}::uuid[], ${site})], ${site})`
  await tx.run(sql`update site set site_account = ${account}, site_version = site_version + 1, site_updated_at = now()
    where site_id = any(${plan.movedSites}::uuid[])`)
  const plans = await moveFloorPlans(tx, { sites: plan.movedSites, account })
  await tx.run(sql`update unit set unit_account = ${account}, unit_version = unit_version + 1, unit_updated_at = now(),
    unit_site = ${siteOf(sql`unit_site`)} where unit_id = any(${plan.units}::uuid[])`)
  await tx.run(sql`update door set door_account = ${account}, door_version = door_version + 1, door_updated_at = now(),
    door_site = ${siteOf(sql`door_site`)}, door_first_person_group = case when door_id = any(${firstPersonless(plan)}::uuid[])
      then null else door_first_person_group end, door_unlock_schedule = case when door_id = any(${scheduleless}::uuid[])
      then null else door_unlock_schedule end where door_id = any(${doorIds}::uuid[])`)
  await tx.run(sql`update interlocking_group set interlocking_group_account = ${account},
    interlocking_group_version = interlocking_group_version + 1, interlocking_group_updated_at = now()
    where interlocking_group_id = any(${plan.interlocks}::uuid[])`)
  await tx.run(sql`update link set link_account = ${account} where link_owner = any(${plan.interlocks}::uuid[])`)
  const moved: [Collection, string[]][] = [
    [units, plan.units],
    [doors, doorIds],
    [sites, plan.movedSites],
    [floorPlans, plans],
    [interlockingGroups, plan.interlocks],
  ]
  const entries = new Map<string, string>()
  for (const [collection, items] of moved) {
    for (const [item, entry] of await recordMoves(tx, { collection, items, from, to })) entries.set(item, entry)
  }
  return entries
}

/** After the sites: until then, plans may still be added to them. */
async function moveFloorPlans(tx: Transaction, { sites: moved, account }: { sites: string[]; account: number }) {
  const rows = await tx.rows(
    z.object({ id: z.uuid() }),
    sql`update floor_plan set floor_plan_account = ${account}, floor_plan_version = floor_plan_version + 1,
        floor_plan_updated_at = now() where floor_plan_site = any(${moved}::uuid[]) returning floor_plan_id as id`,
  )
  const ids = rows.map(({ id }) => id)
  await tx.run(
    sql`update floor_plan_image set floor_plan_image_account = ${account} where floor_plan_image_id = any(${ids}::uuid[])`,
  )
  return ids
}

function firstPersonless({ doors: all }: MovePlan) {
  return all.filter(({ losesFirstPerson }) => losesFirstPerson).map(({ id }) => id)
}

const siteRow = z.object({ account: z.int() })

/** A site that stays behind: the new account gets one with the same name, place and calendars. */
async function copySite(tx: Transaction, { site, to }: { site: string; to: AccessAt }) {
  const row = await tx.first(siteRow, sql`select site_account as account from site where site_id = ${site}`)
  if (!row) throw new AppError('not_found')
  const { name, timeZone, address, location, calendars } = await readItem(tx, {
    collection: sites,
    accounts: [row.account],
    id: site,
  })
  const copy = { name, timeZone, address, location, calendars }
  const { item } = await createItem(tx, { collection: sites, hooks: {}, access: to, item: copy })
  return z.uuid().parse(item['_id'])
}

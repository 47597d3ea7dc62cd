import { maxMovedTogether, type MovedItems } from '@portcullis/contract/moved-items'
import type { Collection } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
import { lockdownPlans } from '@portcullis/contract/collections/lockdown-plans'
import { collections } from '@portcullis/contract/collections/registry'
import { rules } from '@portcullis/contract/collections/rules'
import { units } from '@portcullis/contract/collections/units'
import { problem } from '@portcullis/contract/errors/problem'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { groupsOf } from '../collections/links.ts'
import { demandNoLockdown } from '../commands/demand-no-lockdown.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { tableOf } from '../query/columns.ts'
import { memberField } from '../query/link-entries.ts'

/** Keys of the two accounts. */
export type Places = { from: number; to: number }

const { lockdowns } = doors.entitySchema.shape
const doorRow = z.object({
  id: z.uuid(),
  account: z.int(),
  site: z.uuid(),
  losesFirstPerson: z.boolean(),
  /** Its unlock schedule, if that does not apply in the new account. */
  lostUnlockSchedule: z.uuid().nullable(),
  lockdowns,
})
const siteRow = z.object({ id: z.uuid(), moves: z.boolean(), stays: z.boolean() })
const linkRow = z.object({ owner: z.uuid(), account: z.int(), field: z.string(), kind: z.string() })
const found = z.object({ id: z.uuid() })

/** A link field of an item that stays: it loses the doors and sites that move. */
export type LeftLink = z.output<typeof linkRow>

export type MovePlan = {
  units: string[]
  doors: z.output<typeof doorRow>[]
  movedSites: string[]
  copiedSites: string[]
  interlocks: string[]
  floorPlans: number
  left: LeftLink[]
}

/** Finds what moves along with controllers of one account, and what has to leave groups and rules. */
export async function planMove(tx: Transaction, { unitIds, from, to }: Places & { unitIds: readonly string[] }) {
  const ids = [...new Set(unitIds)]
  const own = await tx.rows(
    found,
    sql`select unit_id as id from unit where unit_id = any(${ids}::uuid[]) and unit_account = ${from}`,
  )
  if (own.length < ids.length) {
    throw new AppError(
      'unknown_reference',
      {},
      { fields: { unitIds: problem('not_in_sight', { collection: units.name }) } },
    )
  }
  return planOf(tx, { unitIds: ids, siteIds: [], from, to })
}

type PlanOfInput = Places & { unitIds: readonly string[]; siteIds: readonly string[] }

/** What moves with these controllers, and with whole sites. */
export async function planOf(tx: Transaction, { unitIds, siteIds, from, to }: PlanOfInput) {
  const [ids, wholeSites] = [[...unitIds], [...siteIds]]
  const moved = await tx.rows(
    doorRow,
    sql`select door_id as id, door_account as account, door_site as site, door_lockdowns as lockdowns, exists(select from user_group
               where user_group_id = door_first_person_group and user_group_account <> all(${upward(to)})) as "losesFirstPerson",
             (select schedule_id from schedule where schedule_id = door_unlock_schedule and schedule_account <> all(${upward(to)}))
               as "lostUnlockSchedule"
          from door where door_unit = any(${ids}::uuid[]) or door_site = any(${wholeSites}::uuid[]) order by door_id`,
  )
  if (moved.some(({ account }) => account !== from)) throw new AppError('units_tied_elsewhere')
  demandNoLockdown(...moved)
  if (moved.length + ids.length > maxMovedTogether) throw new AppError('move_too_large', { maximum: maxMovedTogether })
  const doorIds = moved.map(({ id }) => id)
  const sites = await tx.rows(
    siteRow,
    sql`select site_id as id, site_account = any(array(select account_closure_descendant from account_closure
                 where account_closure_ancestor = ${to})) as stays,
               site_account = ${from}
                 and not exists(select from door where door_site = site_id and door_id <> all(${doorIds}::uuid[]))
                 and not exists(select from unit where unit_site = site_id and unit_id <> all(${ids}::uuid[])) as moves
          from site where site_id = any(array(select unit_site from unit where unit_id = any(${ids}::uuid[]))
                                        || ${[...moved.map(({ site }) => site), ...wholeSites]}::uuid[]) order by site_id`,
  )
  const movedSites = sites.filter(({ moves }) => moves).map(({ id }) => id)
  const copiedSites = sites.filter(({ moves, stays }) => !moves && !stays).map(({ id }) => id)
  const interlocks = await findInterlocks(tx, { doors: doorIds, from, to })
  const floorPlans = await tx.run(sql`select from floor_plan where floor_plan_site = any(${movedSites}::uuid[])`)
  const left = await tx.rows(
    linkRow,
    sql`select distinct link_owner as owner, link_account as account, link_field as field, link_kind as kind from link
         where link_target = any(${[...doorIds, ...movedSites]}::uuid[]) and link_account <> all(${upward(to)})
           and link_owner <> all(${interlocks}::uuid[])`,
  )
  return { units: ids, doors: moved, movedSites, copiedSites, interlocks, floorPlans, left } satisfies MovePlan
}

/**
 * Refuses for a lockdown that starts before the doors move. One that starts later waits for the move: both lock the doors in
 * the order of their ids.
 */
export async function lockDoors(tx: Transaction, ids: readonly string[]) {
  demandNoLockdown(
    ...(await tx.rows(
      z.object({ lockdowns }),
      sql`select door_lockdowns as lockdowns from door where door_id = any(${[...ids]}::uuid[]) order by door_id for update`,
    )),
  )
}

/** An interlock moves along with all its doors; one of an account above stays if it still applies. */
async function findInterlocks(tx: Transaction, { doors, from, to }: Places & { doors: readonly string[] }) {
  const rows = await tx.rows(
    z.object({ id: z.uuid(), name: z.string(), isOwn: z.boolean(), applies: z.boolean(), isWhole: z.boolean() }),
    sql`select distinct interlocking_group_id as id, interlocking_group_name as name, interlocking_group_account = ${from} as "isOwn",
               interlocking_group_account = any(${upward(to)}) as applies,
               not exists(select from link other where other.link_owner = interlocking_group_id
                             and other.link_field = 'doors' and other.link_target <> all(${[...doors]}::uuid[])) as "isWhole"
          from link join interlocking_group on interlocking_group_id = link_owner
         where link_target = any(${[...doors]}::uuid[]) and link_field = 'doors'`,
  )
  if (rows.some(({ isOwn, applies }) => !isOwn && !applies)) throw new AppError('units_tied_elsewhere')
  const shared = rows.find(({ isOwn, isWhole }) => isOwn && !isWhole)
  if (shared) throw new AppError('units_share_interlock', { interlock: shared.name })
  return rows.filter(({ isOwn }) => isOwn).map(({ id }) => id)
}

function upward(account: number) {
  return sql`array(select account_closure_ancestor from account_closure where account_closure_descendant = ${account})`
}

/** The groups that lose doors or sites. */
export function leftGroups({ left }: MovePlan) {
  return left.filter(({ field }) => field === memberField)
}

/** The lockdown plans that lose doors or sites. */
export function leftPlans(plan: MovePlan) {
  return leftIn(plan, lockdownPlans)
}

/** The rules that name the doors and sites, also those that are disabled. */
export function rulesOf(plan: MovePlan) {
  return leftIn(plan, rules)
}

function leftIn({ left }: MovePlan, { name }: Collection) {
  return [...new Set(left.filter((link) => ownerOf(link).name === name).map(({ owner }) => owner))]
}

/** The doors whose unlock schedule does not apply in the new account, and these schedules. */
export function lostUnlockSchedules({ doors: all }: MovePlan) {
  return all.flatMap(({ id, lostUnlockSchedule: schedule }) => (schedule === null ? [] : [{ door: id, schedule }]))
}

/** How many items of each kind a plan concerns. */
export function countsOf(plan: MovePlan) {
  const { movedSites, copiedSites, interlocks, floorPlans } = plan
  return {
    units: plan.units.length,
    doors: plan.doors.length,
    sites: movedSites.length,
    copiedSites: copiedSites.length,
    interlocks: interlocks.length,
    floorPlans,
    leftGroups: new Set(leftGroups(plan).map(({ owner }) => owner)).size,
    leftPlans: leftPlans(plan).length,
    leftFirstPersons: plan.doors.filter(({ losesFirstPerson }) => losesFirstPerson).length,
    leftUnlockSchedules: lostUnlockSchedules(plan).length,
  } satisfies Partial<MovedItems>
}

/** The collection of the group or rule. The members of groups are named by collection, the subjects of rules by kind. */
export function ownerOf({ field, kind }: Pick<LeftLink, 'field' | 'kind'>): Collection {
  const all = Object.values<Collection>(collections)
  const members = all.find(({ name }) => name === kind)
  const owner =
    field === memberField ? members && groupsOf(members) : all.find((each) => tableOf(each).columns.get(field)?.link)
  if (!owner) throw new Error(`No collection has the link field ${field}.`)
  return owner
}

import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

type DoorsOfPlanInput = { plan: string; access: Access }

const doorRow = z.object({ id: z.uuid(), account: z.int(), accountName: z.string() })

/**
 * Locks the doors that a plan names and that are wired to controllers, in the user's account and below. Refuses if the user
 * may not manage access control at one of them.
 */
export async function lockDoorsOfPlan(tx: Transaction, { plan, access }: DoorsOfPlanInput) {
  const found = await tx.rows(
    doorRow,
    sql`with place as materialized (
          select link_kind as kind, link_target as target from link where link_owner = ${plan} and link_field = 'places'),
        member as materialized (
          select kind, link_target as target from place join link on link_owner = target and link_field = 'members'
           where kind in ('Door Group', 'Site Group'))
        select door_id as id, door_account as account, account_name as "accountName"
          from door join account on account_key = door_account
         where door_account = any(${access.subtree}::int[]) and door_unit is not null and door_unit_door is not null
           and (door_id in (select target from place where kind = 'Door' union all select target from member where kind = 'Door Group')
             or door_site in (select target from place where kind = 'Site' union all select target from member where kind = 'Site Group'))
         order by door_id for update of door`,
  )
  if (found.length === 0) throw new AppError('plan_without_doors')
  demandAllDoors(access, found)
  return found.map(({ id }) => id)
}

/** A nearer role of the user may allow less in an account below. */
export function demandAllDoors(access: Access, doors: readonly { account: number; accountName: string }[]) {
  const { subtree, covered } = access
  const other = doors.find(({ account }) => subtree.includes(account) && !covered.includes(account))
  if (!other) return
  throw new AppError('forbidden', { action: 'manage', subject: 'Access Control', account: other.accountName })
}

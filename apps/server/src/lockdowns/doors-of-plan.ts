import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

type Accounts = Pick<Access, 'subtree' | 'covered'>
type DoorsOfPlanInput = { plan: string; access: Accounts }

export const lockedDoor = z.object({ id: z.uuid(), account: z.int() })
export type LockedDoor = z.output<typeof lockedDoor>

/**
 * Locks the doors that a plan names and that are wired to controllers, in the user's account and below. Refuses if the user
 * may not manage access control at one of them. The statement joins nothing: after it has waited for a door that moves,
 * PostgreSQL would compare the door with the row of its earlier account, and leave it out.
 */
export async function lockDoorsOfPlan(tx: Transaction, { plan, access }: DoorsOfPlanInput) {
  const found = await tx.rows(
    lockedDoor,
    sql`with place as materialized (
          select link_kind as kind, link_target as target from link where link_owner = ${plan} and link_field = 'places'),
        member as materialized (
          select kind, link_target as target from place join link on link_owner = target and link_field = 'members'
           where kind in ('Door Group', 'Site Group'))
        select door_id as id, door_account as account from door
         where door_account = any(${access.subtree}::int[]) and door_unit is not null and door_unit_door is not null
           and (door_id in (select target from place where kind = 'Door' union all select target from member where kind = 'Door Group')
             or door_site in (select target from place where kind = 'Site' union all select target from member where kind = 'Site Group'))
         order by door_id for update`,
  )
  if (found.length === 0) throw new AppError('plan_without_doors')
  demandAllDoors(access, { doors: found })
  return found
}

/** A nearer role of the user may allow less in an account below. The error does not name it: the user may not see it. */
export function demandAllDoors(
  { subtree, covered }: Accounts,
  { doors }: { doors: readonly Pick<LockedDoor, 'account'>[] },
) {
  if (doors.every(({ account }) => !subtree.includes(account) || covered.includes(account))) return
  throw new AppError('forbidden_below')
}

import type { grantObstacles } from '@portcullis/contract/errors/business-rules'
import { doorModes } from '@portcullis/domain/policy'
import { modeAt } from '@portcullis/domain/decision/door-mode'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'

type Obstacle = (typeof grantObstacles)[number]

type Request = { account: number; door: string; user: string; unit: string | null; unitDoor: number | null }

const doorRow = z.object({
  unit: z.uuid().nullable(),
  unitDoor: z.int().nullable(),
  enabled: z.boolean(),
  mode: z.enum(doorModes),
  modeUntil: z.iso.datetime().nullable(),
  inService: z.boolean().nullable(),
  now: z.iso.datetime(),
  isAskerActive: z.boolean(),
})

/**
 * What has changed since a request was raised so that it can no longer be granted. A change of the door that is
 * being made at this moment is waited for.
 */
export async function obstacleToGrant(
  tx: Transaction,
  { account, door: id, user, ...wired }: Request,
): Promise<Obstacle | undefined> {
  const door = await tx.first(
    doorRow,
    sql`select door_unit as unit, door_unit_door as "unitDoor", door_enabled as enabled, door_mode as mode,
           door_mode_until as "modeUntil", clock_timestamp() as now,
           (select unit_in_service from unit where unit_id = door_unit) as "inService",
           ${isActive({ user, account })} as "isAskerActive"
          from door where door_id = ${id} and door_account = ${account} for share`,
  )
  if (!door) return 'door_left_account'
  if (door.unit !== wired.unit || door.unitDoor !== wired.unitDoor) return 'door_rewired'
  if (!door.enabled) return 'door_disabled'
  if (door.inService === false) return 'unit_out_of_service'
  if (!door.isAskerActive) return 'requester_inactive'
  return obstacleOf(modeAt(door, Date.parse(door.now)))
}

function obstacleOf(mode: (typeof doorModes)[number]): Obstacle | undefined {
  switch (mode) {
    case 'lockdown':
      return 'door_locked_down'
    case 'blocked':
      return 'door_blocked'
    case 'normal':
    case 'unlocked':
      return undefined
  }
}

/** Known in the tree of the account, and not suspended or past the end of their time there; hyper users are known everywhere. */
function isActive({ user, account }: { user: string; account: number }) {
  return sql`exists (select from person where person_id = ${user} and (person_hyper or exists (
    select from membership join account on account_key = membership_account
     where membership_user = person_id and membership_status = 'active'
       and account_root = (select account_root from account where account_key = ${account})
       and (membership_valid_from is null or membership_valid_from <= clock_timestamp())
       and (membership_valid_until is null or membership_valid_until > clock_timestamp()))))`
}

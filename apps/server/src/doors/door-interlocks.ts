import { isAllowed } from '@portcullis/contract/abilities'
import { type DoorInterlocks, interlockFaults } from '@portcullis/contract/calls/door-interlocks'
import { doors, doorStates } from '@portcullis/contract/collections/doors'
import { interlockingGroups } from '@portcullis/contract/collections/interlocking-groups'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'

const doorRow = z.object({
  interlock: z.uuid(),
  interlockName: z.string(),
  _id: z.uuid(),
  name: z.string(),
  site: z.uuid(),
  unit: z.uuid(),
  state: z.enum(doorStates),
  isShared: z.boolean(),
  isOnline: z.boolean(),
  fault: z.enum(interlockFaults).nullable(),
})
type DoorRow = z.output<typeof doorRow>

const reportedRow = z.object({ door: z.uuid(), isSecure: z.boolean() })

/** The interlocks of a door with the known states of their doors. Throws `not_found` for a door that the request does not read. */
export async function interlocksOfDoor(
  database: Database,
  { access, door }: { access: Access; door: string },
): Promise<DoorInterlocks> {
  if (!z.uuid().safeParse(door).success) throw new AppError('not_found')
  const { reads, rules, signal } = access
  const rows = await database.readInAccounts({ accounts: reads, signal }, (tx) => interlockedDoors(tx, { reads, door }))
  const reported = await reportedDoors(
    database,
    rows.filter(({ isShared }) => isShared).map(({ _id }) => _id),
  )
  const seesUnits = isAllowed(rules, { action: 'view', subject: 'Controllers' })
  const own = rows.find(({ _id }) => _id === door)
  const others = rows.filter(({ _id }) => _id !== door)
  return {
    lock: own ? lockOf(own, { others, isSecure: reported.get(door) }) : 'unknown',
    interlocks: [...Map.groupBy(rows, ({ interlock }) => interlock)].map(([_id, members]) => ({
      _id,
      name: members[0]?.interlockName ?? '',
      isShared: new Set(members.map(({ unit }) => unit)).size > 1,
      doors: members.map((member) => {
        const state = stateOf(member, reported.get(member._id))
        const { _id, name, site, unit, fault } = member
        return { _id, name, site, unit, state, fault: seesUnits && state === 'unknown' ? fault : null }
      }),
    })),
  }
}

async function interlockedDoors(tx: Transaction, { reads, door }: { reads: Access['reads']; door: string }) {
  const doorTable = tableOf(doors)
  const seen = await tx.run(sql`select from door where door_id = ${door} and ${belongsTo(doorTable, reads)}`)
  if (seen === 0) throw new AppError('not_found')
  return tx.rows(
    doorRow,
    sql`select interlocking_group_id as interlock, interlocking_group_name as "interlockName",
           door_id as _id, door_name as name, door_site as site, door_unit as unit, door_state_state as state,
           exists (
             select from link as of_door
               join link as of_other on of_other.link_owner = of_door.link_owner and of_other.link_field = 'doors'
               join door as other on other.door_id = of_other.link_target
              where of_door.link_target = door.door_id and of_door.link_field = 'doors' and other.door_unit <> door.door_unit
           ) as "isShared",
           unit_state_status = 'online' as "isOnline",
           case when unit_state_status <> 'online' then 'offline'
                when unit_state_left_out->'doors' @> to_jsonb(door_id::text) then 'no_room'
                when unit_state_applied_version is distinct from unit_state_desired_version then 'out_of_sync' end as fault
          from link as own
          join interlocking_group on interlocking_group_id = own.link_owner
          join link as member on member.link_owner = own.link_owner and member.link_field = 'doors'
          join door on door_id = member.link_target and door_unit is not null
          join door_state on door_state_id = door_id
          join unit_state on unit_state_id = door_unit
         where own.link_target = ${door} and own.link_field = 'doors'
           and ${belongsTo(doorTable, reads)} and ${belongsTo(tableOf(interlockingGroups), reads)}
         order by interlocking_group_name, interlocking_group_id, door_name, door_id`,
  )
}

/**
 * What units have reported, or the server has let them release. Only the gateway's login reads it: the caller names doors
 * that the request sees, and that share an interlock, because of others it is out of date.
 */
async function reportedDoors(database: Database, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, boolean>()
  const reported = sql`select interlock_state_door as door, interlock_state_is_secure as "isSecure"
      from interlock_state join door on door_id = interlock_state_door and door_unit = interlock_state_unit
     where interlock_state_door = any(${[...ids]}::uuid[])`
  const rows = await database.asSystem((tx) => tx.rows(reportedRow, reported))
  return new Map(rows.map(({ door, isSecure }) => [door, isSecure]))
}

/** As `claimInterlock` counts a door that asks the server. The others report only whether they are open. */
function stateOf({ isShared, isOnline, state }: DoorRow, isSecure: boolean | undefined) {
  if (isShared && isSecure) return 'secure'
  if (!isOnline) return 'unknown'
  if (isShared) return isSecure === undefined ? 'unknown' : 'open'
  return state === 'closed' || state === 'unknown' ? state : 'open'
}

/** A controller compares its own doors: it locks a door while another of them is open. */
function lockOf(own: DoorRow, { others, isSecure }: { others: readonly DoorRow[]; isSecure: boolean | undefined }) {
  if (isSecure) return 'locked'
  if (!own.isOnline) return 'unknown'
  if (others.some((other) => other.unit === own.unit && isOpen(other))) return 'locked'
  return isSecure === false && !isOpen(own) ? 'unlocked' : 'unknown'
}

function isOpen({ state }: DoorRow) {
  return state === 'open' || state === 'held' || state === 'forced'
}

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
  isHeld: z.boolean(),
  isShared: z.boolean(),
  isSecure: z.boolean().nullable(),
  isOnline: z.boolean(),
  fault: z.enum(interlockFaults).nullable(),
})
type DoorRow = z.output<typeof doorRow>

/**
 * The interlocks of a door with the known states of their doors: of those that the user may name by id, also in accounts
 * below. Throws `not_found` for a door that the request does not read.
 */
export async function interlocksOfDoor(
  database: Database,
  { access, door }: { access: Access; door: string },
): Promise<DoorInterlocks> {
  if (!z.uuid().safeParse(door).success) throw new AppError('not_found')
  const { reads, covered, rules, signal } = access
  const own = await database.readInAccounts({ accounts: reads, signal }, (tx) => readDoor(tx, { reads, door }))
  if (!own) throw new AppError('not_found')
  const visible = await database.readInAccounts({ accounts: covered, signal }, (tx) =>
    visibleDoors(tx, { covered, door }),
  )
  const all = await database.asSystem((tx) => interlockedDoors(tx, door))
  const shown = all.filter(({ interlock, _id }) => visible.get(interlock)?.has(_id))
  const seesUnits = isAllowed(rules, { action: 'view', subject: 'Controllers' })
  return {
    lock: lockOf(all, { door, isHeld: own.isHeld, shown }),
    interlocks: [...Map.groupBy(shown, ({ interlock }) => interlock)].map(([_id, members]) => ({
      _id,
      name: members[0]?.interlockName ?? '',
      isShared: new Set(all.flatMap(({ interlock, unit }) => (interlock === _id ? [unit] : []))).size > 1,
      doors: members.map((member) => {
        const state = stateOf(member, { others: members })
        const { _id, name, site, unit, fault } = member
        return { _id, name, site, unit, state, fault: seesUnits && state === 'unknown' ? fault : null }
      }),
    })),
  }
}

/** Whether the controller has confirmed that it holds the door unlocked, and the hold has not ended. */
const isHeld = sql`(door_mode = 'unlocked' and door_mode_version = door_state_applied_mode_version
  and (door_mode_until is null or door_mode_until > now()))`

function readDoor(tx: Transaction, { reads, door }: { reads: Access['reads']; door: string }) {
  return tx.first(
    z.object({ isHeld: z.boolean() }),
    sql`select ${isHeld} as "isHeld" from door join door_state on door_state_id = door_id
         where door_id = ${door} and ${belongsTo(tableOf(doors), reads)}`,
  )
}

const visibleRow = z.object({ interlock: z.uuid(), door: z.uuid() })

/** The doors of its interlocks that the user may see, by interlock. */
async function visibleDoors(tx: Transaction, { covered, door }: { covered: Access['covered']; door: string }) {
  const rows = await tx.rows(
    visibleRow,
    sql`select interlocking_group_id as interlock, door_id as door
          from link as own
          join interlocking_group on interlocking_group_id = own.link_owner
          join link as member on member.link_owner = own.link_owner and member.link_field = 'doors'
          join door on door_id = member.link_target
         where own.link_target = ${door} and own.link_field = 'doors'
           and ${belongsTo(tableOf(doors), covered)} and ${belongsTo(tableOf(interlockingGroups), covered)}`,
  )
  const byInterlock = Map.groupBy(rows, ({ interlock }) => interlock)
  return new Map([...byInterlock].map(([id, own]) => [id, new Set(own.map((row) => row.door))]))
}

/**
 * All doors of the interlocks, with what controllers have reported, or the server has let them release: only the gateway's
 * login reads that. The caller names a door that the request reads, and returns only visible doors.
 */
function interlockedDoors(tx: Transaction, door: string) {
  return tx.rows(
    doorRow,
    sql`select interlocking_group_id as interlock, interlocking_group_name as "interlockName",
           door_id as _id, door_name as name, door_site as site, door_unit as unit, door_state_state as state,
           ${isHeld} as "isHeld", interlock_state_is_secure as "isSecure",
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
          left join interlock_state on interlock_state_door = door_id and interlock_state_unit = door_unit
         where own.link_target = ${door} and own.link_field = 'doors'
         order by interlocking_group_name, interlocking_group_id, door_name, door_id`,
  )
}

/** As `claimInterlock` counts a door that asks the server. Of the others it is known whether they are open, or held unlocked. */
function stateOf(of: DoorRow, { others }: { others: readonly DoorRow[] }) {
  const { isShared, isSecure, isOnline, state } = of
  if (isShared && isSecure) return 'secure'
  if (!isOnline) return 'unknown'
  if (isShared) return isSecure === null ? 'unknown' : 'open'
  if (isOpen(of) || (of.isHeld && !isLockedBy(others, of))) return 'open'
  return state === 'closed' ? 'closed' : 'unknown'
}

type LockOf = { door: string; isHeld: boolean; shown: readonly DoorRow[] }

/** Whether the lock is released. Without other doors in an interlock, nothing keeps a door locked that is held unlocked. */
function lockOf(all: readonly DoorRow[], { door, isHeld, shown }: LockOf) {
  const own = all.find(({ _id }) => _id === door)
  if (!own || all.every(({ _id }) => _id === door)) return isHeld ? 'unlocked' : 'unknown'
  if (own.isShared && own.isSecure) return 'locked'
  if (!own.isOnline) return 'unknown'
  if (isLockedBy(shown, own)) return 'locked'
  return own.isShared && own.isSecure === false && !isOpen(own) ? 'unlocked' : 'unknown'
}

/** A controller compares its own doors: it locks a door while another of them is open. */
function isLockedBy(others: readonly DoorRow[], { _id, unit }: DoorRow) {
  return others.some((other) => other._id !== _id && other.unit === unit && isOpen(other))
}

function isOpen({ state }: DoorRow) {
  return state === 'open' || state === 'held' || state === 'forced'
}

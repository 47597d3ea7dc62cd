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
  isSharedInterlock: z.boolean(),
  _id: z.uuid(),
  name: z.string(),
  site: z.uuid(),
  unit: z.uuid(),
  state: z.enum(doorStates),
  isHeld: z.boolean(),
  /** Whether one of its interlocks has doors of other units. */
  isShared: z.boolean(),
  isOnline: z.boolean(),
  fault: z.enum(interlockFaults).nullable(),
})
type DoorRow = z.output<typeof doorRow> & { isSecure: boolean | undefined }

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
  const found = await database.readInAccounts({ accounts: covered, signal }, (tx) =>
    interlockedDoors(tx, { covered, door }),
  )
  const { interlocks, reported } = await readReported(database, { door, ids: found.map(({ _id }) => _id) })
  const rows = found.map((row) => ({ ...row, isSecure: reported.get(row._id) }))
  const seesUnits = isAllowed(rules, { action: 'view', subject: 'Controllers' })
  const byInterlock = Map.groupBy(rows, ({ interlock }) => interlock)
  return {
    lock: lockOf(rows, {
      door,
      isHeld: own.isHeld,
      isSecure: reported.get(door),
      hasHidden: byInterlock.size < interlocks,
    }),
    interlocks: [...byInterlock].map(([_id, members]) => ({
      _id,
      name: members[0]?.interlockName ?? '',
      isShared: members.some(({ isSharedInterlock }) => isSharedInterlock),
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

/** A door that the user may not see is in another account, and so at another unit. */
function interlockedDoors(tx: Transaction, { covered, door }: { covered: Access['covered']; door: string }) {
  const isVisible = belongsTo(tableOf(doors), covered)
  return tx.rows(
    doorRow,
    sql`with member as (
          select link_owner, link_target from link where link_field = 'doors' and link_owner in (
            select link_owner from link where link_target = ${door} and link_field = 'doors')),
        around as (
          select distinct link_owner from link
           where link_field = 'doors' and link_target in (select link_target from member)),
        spread as (
          select link_owner, count(distinct door_unit) > 1 or count(*) > count(door_id) as is_shared
            from link left join door on door_id = link_target and ${isVisible}
           where link_field = 'doors' and link_owner in (select link_owner from around)
           group by link_owner)
        select interlocking_group_id as interlock, interlocking_group_name as "interlockName",
           spread.is_shared as "isSharedInterlock",
           door_id as _id, door_name as name, door_site as site, door_unit as unit, door_state_state as state,
           ${isHeld} as "isHeld",
           door_id in (
             select link_target from link join spread as wide on wide.link_owner = link.link_owner
              where wide.is_shared and link_field = 'doors') as "isShared",
           unit_state_status = 'online' as "isOnline",
           case when unit_state_status <> 'online' then 'offline'
                when unit_state_left_out->'doors' @> to_jsonb(door_id::text) then 'no_room'
                when unit_state_applied_version is distinct from unit_state_desired_version then 'out_of_sync' end as fault
          from member
          join spread on spread.link_owner = member.link_owner
          join interlocking_group on interlocking_group_id = member.link_owner
          join door on door_id = member.link_target and door_unit is not null
          join door_state on door_state_id = door_id
          join unit_state on unit_state_id = door_unit
         where ${isVisible} and ${belongsTo(tableOf(interlockingGroups), covered)}
         order by interlocking_group_name, interlocking_group_id, door_name, door_id`,
  )
}

const reportedRow = z.object({ door: z.uuid(), isSecure: z.boolean() })

/**
 * What controllers have reported, or the server has let them release, and how many interlocks the door has in all: only the
 * gateway's login reads that. The caller names doors that the user may see.
 */
function readReported(database: Database, { door, ids }: { door: string; ids: readonly string[] }) {
  return database.asSystem(async (tx) => {
    const [rows, interlocks] = await Promise.all([
      tx.rows(
        reportedRow,
        sql`select interlock_state_door as door, interlock_state_is_secure as "isSecure"
              from interlock_state join door on door_id = interlock_state_door and door_unit = interlock_state_unit
             where interlock_state_door = any(${[...new Set([door, ...ids])]}::uuid[])`,
      ),
      tx.run(sql`select from link where link_target = ${door} and link_field = 'doors'`),
    ])
    return { interlocks, reported: new Map(rows.map((row) => [row.door, row.isSecure])) }
  })
}

/** As `claimInterlock` counts a door that asks the server. Of the others it is known whether they are open, or held unlocked. */
function stateOf(of: DoorRow, { others }: { others: readonly DoorRow[] }) {
  const { isShared, isSecure, isOnline, state } = of
  if (isSecure) return 'secure'
  if (!isOnline) return 'unknown'
  if (isShared) return isSecure === undefined ? 'unknown' : 'open'
  if (isOpen(of) || (of.isHeld && !isLockedBy(others, of))) return 'open'
  return state === 'closed' ? 'closed' : 'unknown'
}

type LockOf = { door: string; isHeld: boolean; isSecure: boolean | undefined; hasHidden: boolean }

/** Whether the lock is released. Without other doors in an interlock, nothing keeps a door locked that is held unlocked. */
function lockOf(rows: readonly DoorRow[], { door, isHeld, isSecure, hasHidden }: LockOf) {
  // Units report only doors that share an interlock, also one that the user may not see.
  if (isSecure) return 'locked'
  const own = rows.find(({ _id }) => _id === door)
  if (!own || rows.every(({ _id }) => _id === door)) return isHeld && !hasHidden ? 'unlocked' : 'unknown'
  if (!own.isOnline) return 'unknown'
  if (isLockedBy(rows, own)) return 'locked'
  return own.isShared && isSecure === false && !isOpen(own) ? 'unlocked' : 'unknown'
}

/** A controller compares its own doors: it locks a door while another of them is open. */
function isLockedBy(others: readonly DoorRow[], { _id, unit }: DoorRow) {
  return others.some((other) => other._id !== _id && other.unit === unit && isOpen(other))
}

function isOpen({ state }: DoorRow) {
  return state === 'open' || state === 'held' || state === 'forced'
}

import {
  type ActiveLockdown,
  type DoorInLockdown,
  lockdownDoors,
  maxLockdownDoors,
  type lockdownStates,
} from '@portcullis/contract/calls/lockdowns'
import { doors } from '@portcullis/contract/collections/doors'
import { lockdowns } from '@portcullis/contract/collections/lockdowns'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { readItem } from '../collections/get.ts'
import type { Database } from '../database/database.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { allFields } from '../query/list-request.ts'
import { readItems } from '../query/read-items.ts'

const states = { requested: 'requested', confirmed: 'confirmed', unreachable: 'unreachable' } satisfies {
  [State in (typeof lockdownStates)[number]]: State
}

const stateOfDoor = sql`case when door_mode_version = door_state_applied_mode_version then ${states.confirmed}
  when unit_state_status = 'online' then ${states.requested} else ${states.unreachable} end`
const lockedDoors = sql`door join door_state on door_state_id = door_id left join unit_state on unit_state_id = door_unit`

const inOrder = [states.unreachable, states.requested, states.confirmed]

const counts = z.object({ lockdown: z.uuid(), total: z.int(), confirmed: z.int(), unreachable: z.int() })

/**
 * The lockdowns of the account that have not ended, with the numbers of their doors, also in accounts below that the user may see.
 * Row level security keeps an index on parts of JSON from being used, so doors are read without it, by their accounts.
 */
export async function activeLockdowns(database: Database, { reads, covered }: Access): Promise<ActiveLockdown[]> {
  const where = sql`lockdown_ended_at is null and ${belongsTo(tableOf(lockdowns), reads)} order by lockdown_started_at desc`
  const rows = await database.inAccounts(reads, (tx) =>
    readItems(tx, { collection: lockdowns, fields: allFields(lockdowns), where }),
  )
  if (rows.length === 0) return []
  const counted = await database.asSystem((tx) =>
    tx.rows(
      counts,
      sql`select lockdown, count(*)::int as total, count(*) filter (where state = ${states.confirmed})::int as confirmed,
             count(*) filter (where state = ${states.unreachable})::int as unreachable
            from (select (each ->> '_id')::uuid as lockdown, ${stateOfDoor} as state
                    from ${lockedDoors} cross join jsonb_array_elements(door_lockdowns) each
                   where door_lockdowns @> any(${rows.map(({ id }) => JSON.stringify([{ _id: id }]))}::jsonb[])
                     and ${belongsTo(tableOf(doors), covered)}) named
           where lockdown = any(${rows.map(({ id }) => id)}::uuid[]) group by lockdown`,
    ),
  )
  return rows.map(({ id, item }) => {
    const { total, confirmed, unreachable } = counted.find(({ lockdown }) => lockdown === id) ?? none
    const lockdown = lockdowns.entitySchema.parse(JSON.parse(item))
    return { ...lockdown, doors: { total, confirmed, unreachable } }
  })
}

const none = { total: 0, confirmed: 0, unreachable: 0 }

/** The doors of a lockdown, those first that have not confirmed it. */
export async function doorsInLockdown(database: Database, { access, id }: { access: Access; id: string }) {
  const { reads, covered } = access
  await database.inAccounts(reads, (tx) => readItem(tx, { collection: lockdowns, accounts: reads, id }))
  return database.asSystem(
    (tx): Promise<DoorInLockdown[]> =>
      tx.rows(
        lockdownDoors.output.element,
        sql`select door_id as _id, door_name as name, site_name as "siteName", door_unit as unit, ${stateOfDoor} as state,
             door_mode_set_at as "requestedAt",
             case when door_mode_version = door_state_applied_mode_version then door_state_mode_applied_at end as "confirmedAt",
             case when unit_state_status = 'offline' then unit_state_last_heartbeat_at end as "unreachableSince"
            from ${lockedDoors} join site on site_id = door_site
           where door_lockdowns @> ${JSON.stringify([{ _id: id }])}::jsonb and ${belongsTo(tableOf(doors), covered)}
           order by array_position(${inOrder}::text[], ${stateOfDoor}), site_name, door_name, door_id
           limit ${maxLockdownDoors}`,
      ),
  )
}

import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

/** `nonce`: of the hello. What has come on an earlier connection of the unit is ignored. */
type Connected = { unit: string; nonce: string }

/**
 * Whether the door with this number may be released: each door of its interlocks at another unit was reported as closed and
 * locked by that unit. From then on it counts as released itself, until its unit reports it as secure. Of two
 * requests at the same time, one is refused.
 */
export function claimInterlock(
  database: Database,
  { unit, nonce, door }: Connected & { door: number },
): Promise<boolean> {
  return database.asSystem(async (tx) => {
    const own = await tx.first(
      z.object({ id: z.uuid() }),
      sql`select door_id as id from door join unit_state on unit_state_id = door_unit
           where door_unit = ${unit} and door_unit_door = ${door} and unit_state_connection = ${nonce}`,
    )
    if (!own) return false
    await tx.run(
      sql`select from interlocking_group
           where interlocking_group_id in (select link_owner from link where link_target = ${own.id} and link_field = 'doors')
           order by interlocking_group_id for no key update`,
    )
    const claimed = await tx.run(
      sql`insert into interlock_state (interlock_state_door, interlock_state_unit, interlock_state_is_secure)
          select ${own.id}, ${unit}, false
           where not exists (
             select from link mine
               join interlocking_group on interlocking_group_id = mine.link_owner
               join link theirs on theirs.link_owner = mine.link_owner and theirs.link_field = 'doors'
               join door on door_id = theirs.link_target and door_unit <> ${unit} and door_unit_door is not null
               left join interlock_state on interlock_state_door = door_id and interlock_state_unit = door_unit
              where mine.link_target = ${own.id} and mine.link_field = 'doors'
                and interlock_state_is_secure is not true)
          on conflict (interlock_state_door) do update
            set interlock_state_unit = excluded.interlock_state_unit, interlock_state_is_secure = false,
                interlock_state_reported_at = now()`,
    )
    return claimed > 0
  })
}

type ReportedDoor = { door: number; isSecure: boolean }

/** Stores what a unit reports of its doors; numbers without a door change nothing. */
export async function noteInterlockState(
  database: Database,
  { unit, nonce, doors }: Connected & { doors: readonly ReportedDoor[] },
) {
  const last = new Map(doors.map(({ door, isSecure }) => [door, isSecure]))
  await database.rows(
    z.object({}),
    sql`insert into interlock_state (interlock_state_door, interlock_state_unit, interlock_state_is_secure)
        select door_id, door_unit, is_secure
          from unnest(${[...last.keys()]}::int[], ${[...last.values()]}::boolean[]) as reported (number, is_secure)
          join door on door_unit = ${unit} and door_unit_door = number
          join unit_state on unit_state_id = door_unit and unit_state_connection = ${nonce}
        on conflict (interlock_state_door) do update
          set interlock_state_unit = excluded.interlock_state_unit,
              interlock_state_is_secure = excluded.interlock_state_is_secure, interlock_state_reported_at = now()
        where (interlock_state.interlock_state_unit, interlock_state.interlock_state_is_secure)
              is distinct from (excluded.interlock_state_unit, excluded.interlock_state_is_secure)`,
  )
}

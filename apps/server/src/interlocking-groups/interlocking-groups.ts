import sql from 'sql-template-tag'
import { z } from 'zod'
import type { CollectionHooks, Writing } from '../collections/collection-hooks.ts'
import { AppError } from '../errors/app-error.ts'

/**
 * Units enforce an interlock, so all its doors must be wired; to several units, they ask the server (decision 0138). A door
 * with an unlock schedule would keep the others locked for hours (decision 0149).
 */
export const interlockingGroupHooks: CollectionHooks = {
  async beforeCreate({ tx }, item) {
    await demandInterlockable(tx, item['doors'])
    return {}
  },

  async beforePatch({ tx }, { changes }) {
    if (changes['doors'] !== undefined) await demandInterlockable(tx, changes['doors'])
    return {}
  },
}

const refusedDoor = z.object({ isUnwired: z.boolean() })

async function demandInterlockable(tx: Writing['tx'], value: unknown) {
  const doors = z.array(z.uuid()).parse(value)
  const rows = await tx.rows(
    refusedDoor,
    sql`select door_unit is null or door_unit_door is null as "isUnwired" from door
         where door_id = any(${doors}::uuid[])
           and (door_unit is null or door_unit_door is null or door_unlock_schedule is not null)`,
  )
  if (rows.some(({ isUnwired }) => isUnwired)) throw new AppError('interlock_without_unit', {}, { at: ['doors'] })
  if (rows.length > 0) throw new AppError('unlock_schedule_in_interlock', {}, { at: ['doors'] })
}

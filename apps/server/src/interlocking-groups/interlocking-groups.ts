import sql from 'sql-template-tag'
import { z } from 'zod'
import type { CollectionHooks, Writing } from '../collections/collection-hooks.ts'
import { AppError } from '../errors/app-error.ts'

/** Units enforce an interlock, so all its doors must be wired; to several units, they ask the server (decision 0138). */
export const interlockingGroupHooks: CollectionHooks = {
  async beforeCreate({ tx }, item) {
    await demandWiring(tx, item['doors'])
    return {}
  },

  async beforePatch({ tx }, { changes }) {
    if (changes['doors'] !== undefined) await demandWiring(tx, changes['doors'])
    return {}
  },
}

async function demandWiring(tx: Writing['tx'], value: unknown) {
  const doors = z.array(z.uuid()).parse(value)
  const unwired = await tx.run(
    sql`select from door where door_id = any(${doors}::uuid[]) and (door_unit is null or door_unit_door is null) limit 1`,
  )
  if (unwired > 0) throw new AppError('interlock_without_unit', {}, { at: ['doors'] })
}

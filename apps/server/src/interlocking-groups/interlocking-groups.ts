import sql from 'sql-template-tag'
import { z } from 'zod'
import type { CollectionHooks, Writing } from '../collections/collection-hooks.ts'
import { AppError } from '../errors/app-error.ts'

/** A unit enforces an interlock by itself, so all doors of a group must be wired to one unit. */
export const interlockingGroupHooks: CollectionHooks = {
  async beforeCreate({ tx }, item) {
    await demandOneUnit(tx, item['doors'])
    return {}
  },

  async beforePatch({ tx }, { changes }) {
    if (changes['doors'] !== undefined) await demandOneUnit(tx, changes['doors'])
    return {}
  },
}

async function demandOneUnit(tx: Writing['tx'], value: unknown) {
  const doors = z.array(z.uuid()).parse(value)
  const units = await tx.rows(
    z.object({ unit: z.uuid().nullable() }),
    sql`select distinct case when door_unit_door is not null then door_unit end as unit
         from door where door_id = any(${doors}::uuid[])`,
  )
  const isWired = units.every(({ unit }) => unit !== null)
  if (units.length <= 1 && isWired) return
  throw new AppError(isWired ? 'doors_of_several_units' : 'interlock_without_unit', {}, { at: ['doors'] })
}

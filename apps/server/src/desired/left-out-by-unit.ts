import type { LeftOutByUnit } from '@portcullis/domain/decision/left-out'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { leftOutItems } from './left-out-items.ts'

const unitRow = z.object({ unit: z.uuid(), leftOut: leftOutItems })

/** What the desired configurations of these units leave out; units with room for everything are missing. */
export async function leftOutByUnit(database: Database, units: readonly string[]): Promise<LeftOutByUnit> {
  const rows = await database.asSystem((tx) =>
    tx.rows(
      unitRow,
      sql`select unit_state_id as unit, unit_state_left_out as "leftOut" from unit_state
           where unit_state_id = any(${[...units]}::uuid[]) and unit_state_left_out is not null`,
    ),
  )
  return new Map(rows.map(({ unit, leftOut }) => [unit, leftOut]))
}

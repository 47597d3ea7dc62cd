import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { inBatches } from '../database/in-batches.ts'

/** Events made under a configuration may come this long after the unit has applied a later one. */
const days = 1
const most = 100

const versionOfUnit = (version: Sql, where: Sql = sql`true`) =>
  sql`(select ${version}(unit_config_version) from unit_config where unit_config_unit = unit_state_id and ${where})`
const newest = (where?: Sql) => versionOfUnit(sql`max`, where)
const oldest = (where?: Sql) => versionOfUnit(sql`min`, where)

/**
 * The desired version, the applied one, and the one that was desired when the unit was last heard of: it may have applied
 * that without saying so. Of the last two also the following version, which shows when they were superseded.
 */
const needed = sql`array_remove(array[
  ${newest()},
  unit_state_applied_version,
  ${oldest(sql`unit_config_version > unit_state_applied_version`)},
  ${newest(sql`unit_config_made_at <= unit_state_last_heartbeat_at`)},
  ${oldest(sql`unit_config_made_at > unit_state_last_heartbeat_at`)}], null)`

const old = sql`select unit_state_id as unit, version
  from unit_state
  cross join lateral (select ${needed} as versions offset 0) needed
  cross join lateral (select unit_config_version as version from unit_config
    where unit_config_unit = unit_state_id and unit_config_version <> all (needed.versions)
      and coalesce(unit_config_replaced_at, unit_config_made_at) < now() - make_interval(days => ${days})) pruned
  limit ${most}`

const oldRow = z.object({ unit: z.uuid(), version: z.int() })

/**
 * Deletes configurations that their units no longer use and have not replaced recently, in small batches, with the pieces
 * that no other version of the unit has.
 */
export function pruneConfigs(database: Database, { signal }: { signal: AbortSignal }) {
  return inBatches({ most, signal }, () =>
    database.asSystem(async (tx) => {
      const rows = await tx.rows(oldRow, old)
      const units = [...new Set(rows.map(({ unit }) => unit))]
      // No version is added to these units meanwhile: it could have a piece that only the deleted ones had.
      await tx.run(
        sql`select from unit_state where unit_state_id = any(${units}::uuid[]) order by unit_state_id for no key update`,
      )
      const versions = rows.map(({ version }) => version)
      await tx.run(sql`delete from unit_config
        using unnest(${rows.map(({ unit }) => unit)}::uuid[], ${versions}::int[]) as old (unit, version)
        where unit_config_unit = old.unit and unit_config_version = old.version`)
      await tx.run(deletionOfPieces(units))
      return rows.length
    }),
  )
}

/** Deletes the pieces of these units that none of their configurations has. */
export function deletionOfPieces(units: readonly string[]): Sql {
  const ids = [...units]
  return sql`delete from unit_config_piece where unit_config_piece_unit = any(${ids}::uuid[])
    and not exists (
      select from unit_config, jsonb_array_elements(unit_config_pieces) as piece
       where unit_config_unit = any(${ids}::uuid[]) and unit_config_unit = unit_config_piece_unit
         and piece ->> 'digest' = unit_config_piece_digest)`
}

import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'

/** A configuration of 50,000 credentials at four doors has 35 MB. */
const maxBytes = 50_000_000
/** Larger rows would stop other work while they arrive. */
const pieceBytes = 100_000

const pieceRow = z.object({ version: z.int(), piece: z.string().nullable() })

/**
 * The texts of the stored ones among these configurations of a unit, by version, with every byte as one character: ids and
 * structure are as they are, names beyond ASCII are not. Null for a text that is too large.
 */
export async function configTexts(
  database: Database,
  { unit, versions }: { unit: string; versions: readonly number[] },
) {
  const rows = await database.rows(
    pieceRow,
    prepared(sql`with stored as materialized (
        select unit_config_version as version, length(unit_config_body) as bytes,
               case when length(unit_config_body) <= ${maxBytes} then unit_config_body || ''::bytea end as body
          from unit_config where unit_config_unit = ${unit} and unit_config_version = any(${versions}::int[]))
      select version, convert_from(substring(body from start for ${pieceBytes}), 'latin1') as piece
        from stored cross join generate_series(1, case when body is null then 1 else bytes end, ${pieceBytes}) as start
       order by version, start`),
  )
  const texts = new Map<number, string | null>()
  for (const [version, pieces] of Map.groupBy(rows, (row) => row.version)) {
    const isTooLarge = pieces.some(({ piece }) => piece === null)
    texts.set(version, isTooLarge ? null : pieces.map(({ piece }) => piece).join(''))
  }
  return texts
}

import { createHash } from 'node:crypto'
import { sentDelta, type SentDelta } from '@portcullis/contract/unit-protocol/unit-config'
import { combineDeltas } from '@portcullis/domain/configuration/config-delta'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'

/** The event loop waits while several deltas become one. */
const mostCombinedBytes = 256 * 1024
const mostCombined = 100

type DeltaFor = {
  unit: string
  /** The configuration that the unit applies. */
  applied: { version: number; hash: string }
  /** The version to which the delta leads. */
  version: number
}

const deltaRow = z.object({ delta: z.instanceof(Buffer) })

/**
 * The delta from the applied configuration of a unit to a later version, with the hash of its bytes. A unit that has missed
 * versions gets their deltas as one. Undefined if a version between them has none, or the delta is not clearly smaller
 * than the configuration.
 */
export async function deltaFor(tx: Transaction, { unit, applied, version }: DeltaFor) {
  const rows = await tx.rows(deltaRow, deltasBetween({ unit, applied, version }))
  const [first, ...later] = rows.map(({ delta }) => delta)
  if (!first) return undefined
  const body = later.length === 0 ? first : combined(first, later)
  return { base: applied.version, body, hash: createHash('sha256').update(body).digest('hex') }
}

/** In the order of the versions; none if the chain has a gap. */
function deltasBetween({ unit, applied, version }: DeltaFor) {
  return prepared(sql`
    with recursive chain as (
      select 1 as step, unit_config_base as base, unit_config_delta as delta
        from unit_config where unit_config_unit = ${unit} and unit_config_version = ${version}
      union all
      select step + 1, unit_config_base, unit_config_delta
        from chain join unit_config on unit_config_unit = ${unit} and unit_config_version = base
       where base > ${applied.version} and step < ${mostCombined}),
    total as (select count(*) as steps, min(base) as base, bool_and(delta is not null) as "isWhole",
                     sum(octet_length(delta)) as bytes from chain)
    select delta from chain, total
     where "isWhole" and total.base = ${applied.version} and (steps = 1 or bytes <= ${mostCombinedBytes})
       and bytes <= (select unit_config_bytes / 2
                       from unit_config_whole where unit_config_unit = ${unit} and unit_config_version = ${version})
       and exists (select from unit_config where unit_config_unit = ${unit}
                    and unit_config_version = ${applied.version} and unit_config_hash = ${applied.hash})
     order by step desc`)
}

function combined(first: Buffer, later: readonly Buffer[]) {
  const all = later
    .map(deltaIn)
    .reduce((before, after) => ({ hash: after.hash, ...combineDeltas(before, after) }), deltaIn(first))
  return Buffer.from(JSON.stringify(all))
}

function deltaIn(bytes: Buffer): SentDelta {
  return sentDelta.parse(JSON.parse(bytes.toString()))
}

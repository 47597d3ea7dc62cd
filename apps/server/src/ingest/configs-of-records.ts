import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { NumberedRecord } from './record-events.ts'

const configRow = z.object({
  version: z.int(),
  policyVersion: z.number(),
  supersededAt: z.iso.datetime().nullable(),
})

/** The configurations under which a unit's records were made, and when each was superseded. */
export async function configsOfRecords(
  tx: Transaction,
  { unit, records }: { unit: string; records: readonly NumberedRecord[] },
) {
  const versions = [...new Set(records.flatMap(({ record }) => record?.configVersion ?? []))]
  const rows =
    versions.length === 0
      ? []
      : await tx.rows(
          configRow,
          prepared(sql`select unit_config_version as version, unit_config_policy_version as "policyVersion",
                 (select next.unit_config_made_at from unit_config next
                   where next.unit_config_unit = named.unit_config_unit
                     and next.unit_config_version > named.unit_config_version
                   order by next.unit_config_version limit 1) as "supersededAt"
                from unit_config named
               where unit_config_unit = ${unit} and unit_config_version = any(${versions}::int[])`),
        )
  const byVersion = new Map<number | null, z.output<typeof configRow>>(rows.map((row) => [row.version, row]))
  return {
    policyVersionOf: (version: number | null) => byVersion.get(version)?.policyVersion ?? null,
    /** Whether the unit decided by its latest configuration. */
    isLatest: (version: number | null) => byVersion.get(version)?.supersededAt === null,
    /** Whether the unit's configuration matched the policy at this moment. */
    wasCurrent: (version: number | null, at: string) => {
      const supersededAt = byVersion.get(version)?.supersededAt ?? null
      return supersededAt !== null && at < supersededAt
    },
  }
}

export type RecordConfigs = Awaited<ReturnType<typeof configsOfRecords>>

import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { NumberedRecord } from './record-events.ts'

const configRow = z.object({ version: z.int(), policyVersion: z.number(), madeAt: z.iso.datetime() })

/** The configurations under which a unit's records were made, and when each was superseded. */
export async function configsOfRecords(
  tx: Transaction,
  { unit, records }: { unit: string; records: readonly NumberedRecord[] },
) {
  const versions = records.flatMap(({ record }) => record?.configVersion ?? [])
  const oldest = versions.length === 0 ? undefined : Math.min(...versions)
  const rows =
    oldest === undefined
      ? []
      : await tx.rows(
          configRow,
          prepared(sql`select unit_config_version as version, unit_config_policy_version as "policyVersion",
                 unit_config_made_at as "madeAt"
                from unit_config where unit_config_unit = ${unit} and unit_config_version >= ${oldest}
               order by unit_config_version`),
        )
  const find = (version: number | null) => rows.find((row) => row.version === version)
  return {
    policyVersionOf: (version: number | null) => find(version)?.policyVersion ?? null,
    /** Whether the unit's configuration matched the policy at this moment. */
    wasCurrent: (version: number | null, at: string) => {
      const next = version === null ? undefined : rows.find((row) => row.version > version)
      return find(version) !== undefined && next !== undefined && at < next.madeAt
    },
  }
}

export type RecordConfigs = Awaited<ReturnType<typeof configsOfRecords>>

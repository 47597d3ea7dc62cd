import { type ReasonCode, reasonsOfStep } from '@portcullis/domain/decision/reasons'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { NumberedRecord } from './record-events.ts'

const countsRow = z.object({ credentials: z.int(), doors: z.int(), schedules: z.int() })
/** How many items the configuration of a unit leaves out. */
export type LeftOutCounts = z.output<typeof countsRow>

/** The reasons that depend on the schedules of rules. */
const ofRules = new Set<ReasonCode>([...reasonsOfStep.deny_rule, ...reasonsOfStep.allow_rule])

/** The kind of items whose lack can make a unit deny access for this reason. */
export function kindBehind(reason: ReasonCode | null): keyof LeftOutCounts | undefined {
  if (reason === 'credential_unknown') return 'credentials'
  if (reason === 'door_unknown') return 'doors'
  return reason !== null && ofRules.has(reason) ? 'schedules' : undefined
}

/** What a unit has no room for, if this can explain one of the records. */
export async function leftOutOfUnit(
  tx: Transaction,
  { unit, records }: { unit: string; records: readonly NumberedRecord[] },
) {
  const isNeeded = records.some(
    ({ record }) => record?.type === 'access' && record.verdict === 'deny' && kindBehind(record.reason),
  )
  if (!isNeeded) return undefined
  return tx.first(
    countsRow,
    prepared(sql`select (unit_state_left_out->'credentials')::int as credentials,
        jsonb_array_length(unit_state_left_out->'doors') as doors, jsonb_array_length(unit_state_left_out->'schedules') as schedules
      from unit_state where unit_state_id = ${unit} and unit_state_left_out is not null`),
  )
}

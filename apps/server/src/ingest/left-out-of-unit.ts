import type { LeftOutOfUnit } from '@portcullis/domain/decision/left-out'
import { type ReasonCode, reasonsOfStep } from '@portcullis/domain/decision/reasons'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { prepared } from '../database/prepared-statements.ts'
import type { NumberedRecord } from './record-events.ts'

const leftOutRow = z.object({
  doors: z.array(z.string()),
  schedules: z.array(z.string()),
  oldestCredential: z.uuid().nullable(),
})

/** The reasons for which a unit denies access at a door, or with a credential or rule, for which it has no room. */
const reasonsOfNoRoom = new Set<ReasonCode | null>([
  'door_unknown',
  'credential_unknown',
  ...reasonsOfStep.deny_rule,
  ...reasonsOfStep.allow_rule,
])

/** What a unit has no room for, if this can explain one of the records. */
export async function leftOutOfUnit(
  tx: Transaction,
  { unit, records }: { unit: string; records: readonly NumberedRecord[] },
): Promise<LeftOutOfUnit | undefined> {
  const isNeeded = records.some(
    ({ record }) => record?.type === 'access' && record.verdict === 'deny' && reasonsOfNoRoom.has(record.reason),
  )
  if (!isNeeded) return undefined
  return tx.first(
    leftOutRow,
    prepared(sql`select unit_state_left_out->'doors' as doors, unit_state_left_out->'schedules' as schedules,
        unit_state_left_out->>'oldestCredential' as "oldestCredential"
      from unit_state where unit_state_id = ${unit} and unit_state_left_out is not null`),
  )
}

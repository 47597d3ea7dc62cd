import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '@portcullis/server/database/database'

export type AccountKeys = ReadonlyMap<string, number>

/** Keys of the accounts by their ids. */
export async function accountKeys(tx: Transaction): Promise<AccountKeys> {
  const rows = await tx.rows(
    z.object({ id: z.uuid(), key: z.int() }),
    sql`select account_id as id, account_key as key from account`,
  )
  return new Map(rows.map(({ id, key }) => [id, key]))
}

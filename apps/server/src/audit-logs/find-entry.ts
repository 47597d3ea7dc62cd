import { auditActions } from '@portcullis/contract/collections/audit-logs'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

const document = z.record(z.string(), z.unknown()).nullable()

const entryRow = z.object({
  id: z.uuid(),
  account: z.int(),
  accountId: z.uuid(),
  collection: z.string(),
  item: z.uuid().nullable(),
  action: z.enum(auditActions),
  before: document,
  after: document,
  actor: z.uuid().nullable(),
  position: z.number(),
})

/** A complete history entry with guarded values: must not be sent to clients as it is. */
export type Entry = z.output<typeof entryRow>

export async function findEntry(database: Database, { accounts, id }: { accounts: readonly number[]; id: string }) {
  if (!z.uuid().safeParse(id).success) return undefined
  return database.inAccounts(accounts, (tx) =>
    tx.first(
      entryRow,
      sql`select history_id as id, history_account as account, account_id as "accountId", history_collection as collection,
             history_item as item, history_action as action, history_before as before, history_after as after,
             history_actor as actor, history_position as position
            from history join account on account_key = history_account
           where history_id = ${id} and history_account = any(${accounts}::int[])`,
    ),
  )
}

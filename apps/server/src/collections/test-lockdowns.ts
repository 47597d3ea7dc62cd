import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { recordChanges } from '../changes/record-change.ts'
import type { Database } from '../database/database.ts'

/** Stores a lockdown of no door; returns its id. */
export async function storeLockdown(database: Database, { account }: { account: number }) {
  const id = uuidv7()
  await database.asSystem(async (tx) => {
    await tx.run(sql`insert into lockdown (lockdown_id, lockdown_account, lockdown_plan, lockdown_name, lockdown_started_by,
        lockdown_started_by_name) values (${id}, ${account}, ${uuidv7()}, 'Everything', ${uuidv7()}, 'Ann')`)
    await recordChanges(tx, [{ account, collection: 'lockdowns', item: id, action: 'save', isPolicy: false }])
  })
  return id
}

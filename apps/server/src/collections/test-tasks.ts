import type { taskStatuses } from '@portcullis/contract/collections/tasks'
import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { recordChanges } from '../changes/record-change.ts'
import type { Database } from '../database/database.ts'

type Fields = { account: number; status?: (typeof taskStatuses)[number]; createdAt?: string; userName?: string }

/** Stores a remote access request as a door would raise it; returns its id. */
export async function storeTask(
  database: Database,
  { account, status = 'Requested', createdAt, userName = 'Ann' }: Fields,
) {
  const id = uuidv7()
  const data = JSON.stringify({ expiresAfterSeconds: 60, authAction: 'unlockOnce' })
  await database.asSystem(async (tx) => {
    await tx.run(sql`insert into task (task_id, task_account, task_type, task_status, task_user, task_user_name, task_door,
        task_door_name, task_site_name, task_created_at, task_expires_at, task_data)
      values (${id}, ${account}, 'RemoteAuthRequest', ${status}, ${uuidv7()}, ${userName}, ${uuidv7()}, 'Back door', 'Oslo',
        ${createdAt ?? new Date().toISOString()}, now() + interval '1 day', ${data})`)
    await recordChanges(tx, [{ account, collection: 'tasks', item: id, action: 'save', isPolicy: false }])
  })
  return id
}

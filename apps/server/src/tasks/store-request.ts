import sql from 'sql-template-tag'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Change } from '../changes/record-change.ts'
import type { Transaction } from '../database/database.ts'
import { recordRemoteEvents } from './record-remote-events.ts'

type StoreRequestInput = {
  account: number
  door: string
  user: { _id: string; name: string }
  expiresAfterSeconds: number
  /** The controller's id of the request, if it was raised at a reader. */
  unitRequest?: string
  furtherChanges?: (task: string) => readonly Change[]
}

const storedRow = z.object({ id: z.uuid() })

/**
 * Stores a request for a door of the account and publishes it. Returns its id, or undefined if there is no such door or
 * its controller has already raised this request.
 */
export async function storeRequest(
  tx: Transaction,
  { account, door, user, expiresAfterSeconds, ...optional }: StoreRequestInput,
) {
  const id = uuidv7()
  const data = JSON.stringify({ expiresAfterSeconds, authAction: 'unlockOnce' })
  const stored = await tx.first(
    storedRow,
    sql`insert into task (task_id, task_account, task_type, task_status, task_user, task_user_name, task_door,
          task_door_name, task_site_name, task_unit, task_unit_door, task_unit_request, task_created_at, task_expires_at,
          task_data)
        select ${id}, door_account, 'RemoteAuthRequest', 'Requested', ${user._id}, ${user.name}, door_id, door_name,
               site_name, door_unit, door_unit_door, ${optional.unitRequest ?? null}::uuid, now(),
               now() + make_interval(secs => ${expiresAfterSeconds}), ${data}
          from door join site on site_id = door_site where door_id = ${door} and door_account = ${account}
        on conflict (task_unit, task_unit_request) where task_unit_request is not null do nothing
        returning task_id as id`,
  )
  if (!stored) return undefined
  await recordRemoteEvents(tx, {
    tasks: [{ id, account }],
    type: 'access.remote_requested',
    furtherChanges: optional.furtherChanges?.(id) ?? [],
  })
  return id
}

import { tasks, taskStatuses } from '@portcullis/contract/collections/tasks'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { notFound } from '../collections/get.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Item } from '../history/record-history.ts'

/** A grant unlocks the door up to this time after the decision, while the user is probably still there. */
const grantSeconds = 10

const lockedRow = z.object({
  status: z.enum(taskStatuses),
  user: z.uuid(),
  door: z.uuid(),
  unit: z.uuid().nullable(),
  unitDoor: z.int().nullable(),
  /** Whether a controller raised it and waits for the outcome. */
  isAtReader: z.boolean(),
})
const moment = z.object({ isLate: z.boolean(), unlockUntil: z.iso.datetime() })
export type LockedRequest = z.output<typeof lockedRow> & z.output<typeof moment>

/** Locks the request, so no other transaction decides, expires, withdraws or annotates it. */
export async function lockRequest(
  tx: Transaction,
  { id, account }: { id: string; account: number },
): Promise<LockedRequest> {
  const found = await tx.first(
    lockedRow,
    sql`select task_status as status, task_user as user, task_door as door, task_unit as unit,
           task_unit_door as "unitDoor", task_unit_request is not null as "isAtReader"
          from task where task_id = ${id} and task_account = ${account} and task_type = 'RemoteAuthRequest' for update`,
  )
  if (!found) throw notFound(tasks)
  const now = await tx.first(
    moment,
    // Read after the wait for the lock, which may have been long.
    sql`select task_expires_at <= clock_timestamp() as "isLate",
           least(task_expires_at, clock_timestamp() + make_interval(secs => ${grantSeconds})) as "unlockUntil"
          from task where task_id = ${id}`,
  )
  return { ...found, ...moment.parse(now) }
}

export function isOpen({ status, isLate }: LockedRequest) {
  return status === 'Requested' && !isLate
}

/** The refusal of a request that is no longer open; `item` is undefined for users who may not see requests. */
export function tooLate(item: Item | undefined, { status }: LockedRequest) {
  if (status === 'Requested') return new AppError('request_expired', {}, { item })
  return new AppError('request_decided', { status: status.toLowerCase() }, { item })
}

import { readerLimits } from '@portcullis/contract/calls/remote-access'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'
import { lockRequesters } from './request-limits.ts'
import { storeRequest } from './store-request.ts'

type RaiseAtReaderInput = {
  account: number
  unit: string
  door: string
  user: { _id: string; name: string }
  expiresAfterSeconds: number
  /** The controller's id of the request. */
  unitRequest: string
}

/**
 * Stores the request of a user at a reader. A user has one open request at a door of a controller: a new one of the
 * controller continues it without another message. Beyond the limits of the controller and the account it stores nothing.
 */
export async function raiseAtReader(tx: Transaction, input: RaiseAtReaderInput): Promise<'raised' | 'unavailable'> {
  await lockRequesters(tx, { account: input.account, user: input.user._id })
  if ((await isRaised(tx, input)) || (await isContinued(tx, input))) return 'raised'
  if (await isAtLimit(tx, input)) return 'unavailable'
  return (await storeRequest(tx, input)) === undefined ? 'unavailable' : 'raised'
}

async function isRaised(tx: Transaction, { unit, unitRequest }: RaiseAtReaderInput) {
  const found = await tx.run(sql`select from task where task_unit = ${unit} and task_unit_request = ${unitRequest}`)
  return found > 0
}

/** The decision about the open request goes to the newest of the controller, at whose reader the user now waits. */
async function isContinued(tx: Transaction, { account, unit, door, user, unitRequest }: RaiseAtReaderInput) {
  const continued = await tx.run(
    sql`update task set task_unit_request = ${unitRequest}
         where task_account = ${account} and task_status = 'Requested' and task_expires_at > clock_timestamp()
           and task_unit = ${unit} and task_door = ${door} and task_user = ${user._id} and task_unit_request is not null`,
  )
  return continued > 0
}

const counts = z.object({ ofUnit: z.coerce.number(), ofAccount: z.coerce.number() })

async function isAtLimit(tx: Transaction, { account, unit }: RaiseAtReaderInput) {
  const { perUnit, perAccount, periodSeconds } = readerLimits
  const found = await tx.first(
    counts,
    sql`select count(*) filter (where task_unit = ${unit}) as "ofUnit", count(*) as "ofAccount" from task
         where task_account = ${account} and task_unit_request is not null
           and task_created_at > statement_timestamp() - make_interval(secs => ${periodSeconds})`,
  )
  const { ofUnit, ofAccount } = counts.parse(found)
  return ofUnit >= perUnit || ofAccount >= perAccount
}

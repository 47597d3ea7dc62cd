import { requestLimits } from '@portcullis/contract/calls/remote-access'
import { tasks } from '@portcullis/contract/collections/tasks'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { readItem } from '../collections/get.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'

type LimitedRequest = { account: number; door: string; user: string }

/** Advisory-lock namespaces. */
const userLock = 7_361_909
const accountLock = 7_361_910

/**
 * Refuses a second open request of a user at a door, and requests beyond the limits of the user and the account. Holds
 * locks of both until the transaction ends, so that parallel requests cannot exceed the limits. Requests that
 * controllers raise at readers have limits of their own.
 */
export async function demandRequestLimits(tx: Transaction, request: LimitedRequest) {
  await lockRequesters(tx, request)
  await demandNoneOpen(tx, request)
  await demandBelowLimits(tx, request)
}

/** Serialises the requests of a user and of an account until the transaction ends. */
export async function lockRequesters(tx: Transaction, { user, account }: Omit<LimitedRequest, 'door'>) {
  // Always the user first, so that two requests never wait for each other.
  await tx.run(sql`select pg_advisory_xact_lock(${userLock}, hashtext(${user}))`)
  await tx.run(sql`select pg_advisory_xact_lock(${accountLock}, ${account})`)
}

const openRow = z.object({ id: z.uuid(), account: z.int() })

async function demandNoneOpen(tx: Transaction, { door, user }: LimitedRequest) {
  const open = await tx.first(
    openRow,
    sql`select task_id as id, task_account as account from task
         where task_status = 'Requested' and task_expires_at > clock_timestamp()
           and task_user = ${user} and task_door = ${door} and task_unit_request is null`,
  )
  if (!open) return
  const item = await readItem(tx, { collection: tasks, accounts: [open.account], id: open.id })
  throw new AppError('request_open', {}, { item })
}

const waitRow = z.object({ seconds: z.number().nullable() })

/** Counts entries of the audit log, which remain when a request is withdrawn. */
async function demandBelowLimits(tx: Transaction, { account, user }: LimitedRequest) {
  const { perUser, perAccount, periodSeconds } = requestLimits
  const period = sql`make_interval(secs => ${periodSeconds})`
  const recent = sql`history_collection = 'tasks' and history_action = 'create'
    and history_at > statement_timestamp() - ${period}`
  const wait = sql`extract(epoch from history_at + ${period} - statement_timestamp())::float8`
  const found = await tx.first(
    waitRow,
    sql`select greatest(
          (select ${wait} from history where history_actor = ${user} and ${recent}
            order by history_at desc offset ${perUser - 1} limit 1),
          (select ${wait} from history where history_account = ${account} and ${recent}
            order by history_at desc offset ${perAccount - 1} limit 1)) as seconds`,
  )
  const { seconds } = waitRow.parse(found)
  if (seconds === null) return
  throw new AppError('too_many', {}, { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) })
}

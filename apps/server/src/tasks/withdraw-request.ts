import { isAllowed } from '@portcullis/contract/abilities'
import { tasks } from '@portcullis/contract/collections/tasks'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { notFound, readItem, requireId } from '../collections/get.ts'
import { recordChangeOfItem } from '../collections/record-change-of-item.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import { isOpen, lockRequest, tooLate } from './lock-request.ts'

type WithdrawInput = { access: Access; id: string }

/**
 * Deletes an open request, for its requester and for users who may decide it; returns the id of the history entry. One
 * that a controller raised stays, because the controller waits for its outcome and would raise it again.
 */
export async function withdrawRequest(database: Database, { access, id }: WithdrawInput) {
  const account = access.account.key
  await demandMayWithdraw(database, { access, id })
  return database.asSystem(async (tx) => {
    const request = await lockRequest(tx, { id, account })
    const before = await readItem(tx, { collection: tasks, accounts: [account], id })
    const mayView = isAllowed(access.rules, { action: 'view', subject: tasks.subject })
    if (!isOpen(request)) throw tooLate(mayView ? before : undefined, request)
    if (request.isAtReader) throw new AppError('request_at_reader')
    await tx.run(sql`delete from task where task_id = ${id}`)
    const action = 'delete'
    const change = { access, collection: tasks, account, item: id, action, before, after: null } as const
    const entry = await recordChangeOfItem(tx, { ...change, undoes: undefined, furtherChanges: [] })
    prove(tx, access)
    return { entry }
  })
}

const requesterRow = z.object({ user: z.uuid() })

/** Users who may not decide requests get the same refusal for those of others and for missing ones. */
async function demandMayWithdraw(database: Database, { access, id }: WithdrawInput) {
  requireId(tasks, id)
  const accounts = [access.account.key]
  // Read with the role limited to this account: the role that withdraws sees all accounts.
  const found = await database.inAccounts(accounts, (tx) =>
    tx.first(
      requesterRow,
      sql`select task_user as user from task where task_id = ${id} and ${belongsTo(tableOf(tasks), accounts)}`,
    ),
  )
  if (found?.user !== access.person._id) demand(access, { action: 'manage', subject: tasks.subject })
  if (!found) throw notFound(tasks)
}

import { tasks } from '@portcullis/contract/collections/tasks'
import sql from 'sql-template-tag'
import type { Access } from '../abilities/access.ts'
import { prove } from '../abilities/access-proof.ts'
import { readItem } from '../collections/get.ts'
import { demandUnchanged } from '../collections/patch.ts'
import { recordChangeOfItem } from '../collections/record-change-of-item.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import type { Item } from '../history/record-history.ts'
import type { RecordedAnswer } from '../http/serve-call.ts'
import { isOpen, lockRequest } from './lock-request.ts'

type NoteDecisionInput = {
  access: Access
  id: string
  note: string
  /** The note that this one replaces, if the client states it. */
  noteAsRead: string | null | undefined
  /** Other fields of the request, as the body sets them (specification §7). */
  asRead: Item
}

/**
 * Adds a note to the decision about a request, or changes it; like the decision, never for one's own request. Refuses to
 * replace a note that the user has not read.
 */
export async function noteDecision(
  database: Database,
  { access, id, note, noteAsRead, asRead }: NoteDecisionInput,
): Promise<RecordedAnswer> {
  const account = access.account.key
  const ofRequest = { collection: tasks, accounts: [account], id }
  // Read with the role limited to this account: the role that writes sees all accounts.
  await database.inAccounts([account], (tx) => readItem(tx, ofRequest))
  return database.asSystem(async (tx) => {
    const request = await lockRequest(tx, { id, account })
    if (request.user === access.person._id) throw new AppError('own_request')
    const before = await readItem(tx, ofRequest)
    if (isOpen(request)) throw new AppError('request_undecided', {}, { item: before })
    if (before['decidedBy'] === null) throw new AppError('request_expired', {}, { item: before })
    // What happens at the door changes meanwhile.
    const { delivery: _, deliveryDetail: _detail, sentAt: _sentAt, openedAt: _openedAt, ...fixed } = asRead
    demandUnchanged(fixed, before)
    if (before['note'] === note) return { item: before, entry: undefined }
    if (noteAsRead !== undefined && noteAsRead !== before['note']) throw new AppError('conflict', {}, { item: before })
    await tx.run(sql`update task set task_note = ${note} where task_id = ${id}`)
    const entry = await recordChangeOfItem(tx, {
      access,
      collection: tasks,
      account,
      item: id,
      action: 'patch',
      before: { note: before['note'] },
      after: { note },
      undoes: undefined,
      furtherChanges: [],
    })
    prove(tx, access)
    return { item: { ...before, note }, entry }
  })
}

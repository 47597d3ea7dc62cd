import type { InputOf } from '@portcullis/contract/call'
import { replaceSchedule } from '@portcullis/contract/calls/replace-schedule'
import { rules } from '@portcullis/contract/collections/rules'
import { schedules } from '@portcullis/contract/collections/schedules'
import { problem } from '@portcullis/contract/errors/problem'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import { workAs } from '../abilities/access-proof.ts'
import type { CollectionHooks } from '../collections/collection-hooks.ts'
import { readItem } from '../collections/get.ts'
import { checkReferences } from '../collections/references.ts'
import { removeItem } from '../collections/remove.ts'
import { bulkWrites, examinePlans, type Plan, writePlans } from '../collections/write-many.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { lockTree } from '../history/lock-tree.ts'
import type { ServeCall } from '../http/serve-call.ts'
import type { PreviewChange } from '../preview/preview-change.ts'

type ReplaceOptions = Pick<ServeCall, 'serveProvenCall'> & {
  database: Database
  hooksByCollection: Readonly<Record<string, CollectionHooks>>
  previewChange: PreviewChange
}

/** Gives the rules of a schedule another one, and deletes it, in one transaction. */
export function registerReplaceSchedule(
  app: FastifyInstance,
  { database, hooksByCollection, serveProvenCall, previewChange }: ReplaceOptions,
) {
  serveProvenCall(app, replaceSchedule, ({ access, path: { id }, query: { preview }, input }) => {
    const write = (tx: Transaction) => replace(tx, { access, hooksByCollection, id, input })
    if (preview !== undefined) return previewChange(access, { write, withAccess: preview === 'true' })
    return bulkWrites.take(`${access.account.root}`, () => workAs(database, access, write))
  })
}

type Replace = Pick<ReplaceOptions, 'hooksByCollection'> & {
  access: Access
  id: string
  input: InputOf<typeof replaceSchedule>
}

async function replace(tx: Transaction, { access, hooksByCollection, id, input }: Replace) {
  const { key, root } = access.account
  lockTree(tx, { root, turn: 'alone' })
  await readItem(tx, { collection: schedules, accounts: [key], id })
  await demandOther(tx, { access, id, by: input.by })
  const ids = await rulesOf(tx, { account: key, schedule: id })
  access.signal?.throwIfAborted()
  const plans = ids.map((_id): Plan => {
    return { action: 'patch', id: _id, changes: { schedule: input.by }, asRead: {}, expected: undefined }
  })
  const examined = await examinePlans(tx, { collection: rules, access, plans })
  const [refusal] = examined.flatMap((each) => each.refusal ?? [])
  if (refusal) throw refusal
  const entries = await writePlans(tx, { collection: rules, access, examined })
  const replaced = ids.map((_id, at) => ({ _id, entry: entries[at] ?? '' }))
  return { rules: replaced, deletion: input.delete ? await remove(tx, { access, hooksByCollection, id }) : null }
}

type Other = { access: Access; id: string; by: string }

async function demandOther(tx: Transaction, { access, id, by }: Other) {
  if (by === id) throw new AppError('bad_request', {}, { fields: { by: problem('listed_twice') } })
  await checkReferences(tx, { collection: rules, item: { schedule: by }, access }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
    const unknown = problem('not_in_sight', { collection: schedules.name })
    throw new AppError('unknown_reference', {}, { fields: { by: unknown } })
  })
}

async function rulesOf(tx: Transaction, { account, schedule }: { account: number; schedule: string }) {
  const rows = await tx.rows(
    z.object({ id: z.uuid() }),
    sql`select rule_id as id from rule where rule_schedule = ${schedule} and rule_account = ${account} order by rule_id`,
  )
  return rows.map((row) => row.id)
}

/** Rules of the account no longer use it, so others that do belong to accounts that the user may not see. */
async function remove(tx: Transaction, { access, hooksByCollection, id }: Omit<Replace, 'input'>) {
  const hooks = hooksByCollection['schedules'] ?? {}
  return removeItem(tx, { collection: schedules, hooks, access, id }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'used_by_others') throw new AppError('schedule_used_elsewhere')
    throw error
  })
}

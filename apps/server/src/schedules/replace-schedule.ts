import type { InputOf } from '@portcullis/contract/call'
import { replaceSchedule } from '@portcullis/contract/calls/replace-schedule'
import type { Collection } from '@portcullis/contract/collection'
import { doors } from '@portcullis/contract/collections/doors'
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
import { belongsTo } from '../query/belongs-to.ts'
import { tableOf } from '../query/columns.ts'
import type { PreviewChange } from '../preview/preview-change.ts'

type ReplaceOptions = Pick<ServeCall, 'serveProvenCall'> & {
  database: Database
  hooksByCollection: Readonly<Record<string, CollectionHooks>>
  previewChange: PreviewChange
}

/** Gives the rules and doors of a schedule another one, and deletes it, in one transaction. */
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
  const uses = { access, id, by: input.by }
  const ofRules = await replaceIn(tx, { ...uses, collection: rules, field: 'schedule' })
  const ofDoors = await replaceIn(tx, { ...uses, collection: doors, field: 'unlockSchedule' })
  const deletion = input.delete ? await remove(tx, { access, hooksByCollection, id }) : null
  return { rules: ofRules, doors: ofDoors, deletion }
}

type ReplaceIn = Other & { collection: Collection; field: string }

/** No hook of doors refuses this: users of this call may set unlock schedules, and a door with one is in no interlock. */
async function replaceIn(tx: Transaction, { access, id, by, collection, field }: ReplaceIn) {
  const ids = await usersOf(tx, { collection, field, account: access.account.key, schedule: id })
  access.signal?.throwIfAborted()
  const plans = ids.map((_id): Plan => {
    return { action: 'patch', id: _id, changes: { [field]: by }, asRead: {}, expected: undefined }
  })
  const examined = await examinePlans(tx, { collection, access, plans })
  const [refusal] = examined.flatMap((each) => each.refusal ?? [])
  if (refusal) throw refusal
  const entries = await writePlans(tx, { collection, access, examined })
  return ids.map((_id, at) => ({ _id, entry: entries[at] ?? '' }))
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

type UsesOf = Pick<ReplaceIn, 'collection' | 'field'> & { account: number; schedule: string }

async function usersOf(tx: Transaction, { collection, field, account, schedule }: UsesOf) {
  const table = tableOf(collection)
  const rows = await tx.rows(
    z.object({ id: z.uuid() }),
    sql`select ${table.id} as id from ${table.name}
         where ${table.columns.get(field)?.name} = ${schedule} and ${belongsTo(table, [account])} order by ${table.id}`,
  )
  return rows.map((row) => row.id)
}

/** Rules and doors of the account no longer use it, so others that do belong to accounts that the user may not see. */
async function remove(tx: Transaction, { access, hooksByCollection, id }: Omit<Replace, 'input'>) {
  const hooks = hooksByCollection['schedules'] ?? {}
  return removeItem(tx, { collection: schedules, hooks, access, id }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'used_by_others') throw new AppError('schedule_used_elsewhere')
    throw error
  })
}

import { isAllowed } from '@portcullis/contract/abilities'
import type { AsOf } from '@portcullis/contract/calls/audit-logs'
import type { Collection } from '@portcullis/contract/collection'
import { auditActions } from '@portcullis/contract/collections/audit-logs'
import { collections } from '@portcullis/contract/collections/registry'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demand } from '../abilities/access.ts'
import { guardsOf } from '../abilities/guards-of.ts'
import { notFound } from '../collections/get.ts'
import type { Database, Transaction } from '../database/database.ts'
import { afterwards, itemsAsOf } from '../history/items-as-of.ts'
import type { Item } from '../history/record-history.ts'
import { AppError } from '../errors/app-error.ts'

type AsOfInput = { access: Access; collection: string; id: string; at: string }

/** Returns an item as it was at a moment. Missing and out-of-scope items give the same 404. */
export async function asOf(database: Database, { access, collection: name, id, at }: AsOfInput): Promise<AsOf> {
  const collection = Object.values<Collection>(collections).find((each) => each.name === name)
  if (!collection || collection.readOnly) throw new AppError('not_found')
  demand(access, { action: 'view', subject: collection.subject })
  if (!z.uuid().safeParse(id).success) throw notFound(collection)
  const accounts = access.reads
  return database.inAccounts(accounts, async (tx) => {
    const item = (await itemsAsOf(tx, { collection, accounts, at, only: [id] })).get(id)
    if (!item) throw notFound(collection)
    return { at, item: veiled(item, { collection, access }), lastChange: await lastChange(tx, { accounts, id, at }) }
  })
}

/** Hides guarded values that the user may not view, as every response does. */
function veiled(item: Item, { collection, access }: { collection: Collection; access: Access }): Item {
  const hidden = guardsOf(collection).guarded.filter(
    ({ subject, where }) => item[where.field] === where.is && !isAllowed(access.rules, { action: 'view', subject }),
  )
  return { ...item, ...Object.fromEntries(hidden.map(({ field }) => [field, null])) }
}

const change = z.object({
  entry: z.uuid(),
  action: z.enum(auditActions),
  actor: z.uuid().nullable(),
  actorName: z.string().nullable(),
  at: z.string(),
})

type LastChangeInput = { accounts: readonly number[]; id: string; at: string }

async function lastChange(tx: Transaction, { accounts, id, at }: LastChangeInput) {
  const found = await tx.first(
    change,
    sql`select history_id as entry, history_action as action, history_actor as actor, history_actor_name as "actorName",
           history_at as at
          from history where history_account = any(${accounts}::int[]) and history_item = ${id}
           and history_action in ('create', 'patch', 'delete') and history_at < ${afterwards(at)}
         order by history_at desc, history_id desc limit 1`,
  )
  return found ?? null
}

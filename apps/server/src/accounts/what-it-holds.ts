import { isAllowed } from '@portcullis/contract/abilities'
import type { Collection } from '@portcullis/contract/collection'
import { accounts } from '@portcullis/contract/collections/accounts'
import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { collections } from '@portcullis/contract/collections/registry'
import type { ItemCount } from '@portcullis/contract/errors/parameters'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Access } from '../abilities/access.ts'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { tableOf } from '../query/columns.ts'

/** More of one kind are said to be more: to count the events of years would keep whoever asks waiting. */
const mostCounted = 10_000

/**
 * Refuses with what an account holds, by kind: nothing that belongs to it may vanish with it, nor become nobody's. What people
 * did to it, such as signing in, is no reason to keep it. Of kinds that whoever asks may not view it is told that there is
 * something, and neither what nor how much.
 */
export async function refuseWhileHolding(tx: Transaction, { account: { _id, key }, rules }: Access) {
  const isShown = ({ subject }: Collection) => isAllowed(rules, { action: 'view', subject })
  const counts = await Promise.all([countBelow(tx, _id), ...kinds.map((kind) => countOf(tx, { kind, key }))])
  const held = counts.filter(({ count }) => count > 0)
  if (held.length === 0) return
  const shown = held.filter(({ kind }) => kind === undefined || isShown(kind))
  const rest = shown.length < held.length ? [{ collection: null, count: null, isMore: false }] : []
  throw new AppError('account_not_empty', { items: [...shown.map(countedItems), ...rest] })
}

const kinds = Object.values<Collection>(collections).filter(
  ({ name }) => name !== accounts.name && name !== auditLogs.name,
)

type Held = { count: number; kind: Collection | undefined }

async function countBelow(tx: Transaction, account: string): Promise<Held> {
  const below = await tx.first(counted, sql`select count(*) as count from account where account_parent = ${account}`)
  return { count: below?.count ?? 0, kind: undefined }
}

const counted = z.object({ count: z.coerce.number() })

async function countOf(tx: Transaction, { kind, key }: { kind: Collection; key: number }): Promise<Held> {
  const { name, account } = tableOf(kind)
  const among = kind.name === 'events' ? sql`and event_category <> 'administration'` : sql``
  const found = await tx.first(
    counted,
    sql`select count(*) as count from (select from ${name} where ${account} = ${key} ${among} limit ${mostCounted + 1}) held`,
  )
  return { count: found?.count ?? 0, kind }
}

function countedItems({ count, kind = accounts }: Held): ItemCount {
  return { collection: kind.name, count: Math.min(count, mostCounted), isMore: count > mostCounted }
}

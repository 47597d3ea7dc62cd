import { isAllowed, roles, rulesOfRole } from '@portcullis/contract/abilities'
import { accounts } from '@portcullis/contract/collections/accounts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demandField } from '../abilities/access.ts'
import type { ServerHalf, Writing } from '../collections/server-half.ts'
import { isInForce } from '../sessions/session-store.ts'
import type { Collection } from '@portcullis/contract/collection'
import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { collections } from '@portcullis/contract/collections/registry'
import type { ItemCount } from '@portcullis/contract/errors/parameters'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { tableOf } from '../query/columns.ts'

/** A new account lies below the current one unless the writer names another that they see. */
export const accountsHalf: ServerHalf = {
  async beforeCreate(writing, item) {
    const { _id: current } = writing.access.account
    const parent = item['parent'] ?? current
    if (parent !== current) await demandManagingAt(writing, parent)
    return { parent }
  },
  async beforeDelete({ tx, access }) {
    // An account belongs to itself, so it is the one in which it is deleted.
    await refuseWhileHolding(tx, access)
  },
}

const held = z.object({ role: z.enum(roles), name: z.string() })

/** A role that is held nearer to the place of the new account may be a lesser one. */
async function demandManagingAt({ tx, access }: Writing, place: unknown) {
  if (access.person.hyper) return
  const nearer = await tx.first(
    held,
    sql`select membership_role as role, account_name as name from account
          join account_closure way on way.account_closure_descendant = account_key
          join membership on membership_account = way.account_closure_ancestor
         where account_id = ${place} and membership_user = ${access.person._id} and ${isInForce}
           and membership_account = any(${access.subtree}::int[])
         order by way.account_closure_depth limit 1`,
  )
  if (!nearer) return
  const inside = { ...access, account: { ...access.account, name: nearer.name }, rules: rulesOfRole(nearer.role) }
  demandField(inside, { field: 'parent', subject: accounts.subject })
}

/** More of one kind are said to be more: to count the events of years would keep whoever asks waiting. */
const mostCounted = 10_000

/**
 * Refuses with what an account holds, by kind: nothing that belongs to it may vanish with it, nor become nobody's. What people
 * did to it, such as signing in, is no reason to keep it. Of kinds that whoever asks may not view it is told that there is
 * something, and neither what nor how much.
 */
async function refuseWhileHolding(tx: Transaction, { account: { _id, key }, rules }: Access) {
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

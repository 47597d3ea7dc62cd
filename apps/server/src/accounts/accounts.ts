import { isAllowed, roles, rulesOfRole } from '@portcullis/contract/abilities'
import { accounts } from '@portcullis/contract/collections/accounts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Access, demandField } from '../abilities/access.ts'
import type { CollectionHooks, Writing } from '../collections/collection-hooks.ts'
import { isMembershipActive } from '../sessions/session-store.ts'
import type { Collection } from '@portcullis/contract/collection'
import { auditLogs } from '@portcullis/contract/collections/audit-logs'
import { collections } from '@portcullis/contract/collections/registry'
import type { ItemCount } from '@portcullis/contract/errors/parameters'
import type { Transaction } from '../database/database.ts'
import { AppError } from '../errors/app-error.ts'
import { tableOf } from '../query/columns.ts'

/** A new account is created below the current one unless the user names another parent that they can see. */
export const accountHooks: CollectionHooks = {
  async beforeCreate(writing, item) {
    const { _id: current } = writing.access.account
    const parent = item['parent'] ?? current
    if (parent !== current) await demandManagingAt(writing, parent)
    return { parent }
  },
  async beforeDelete({ tx, access }) {
    // An account belongs to itself, so the account being deleted is the current one.
    await refuseWhileHolding(tx, access)
  },
}

const held = z.object({ role: z.enum(roles), name: z.string() })

/** The user's role nearest to the new parent counts; it may allow less than the one in the current account. */
async function demandManagingAt({ tx, access }: Writing, parent: unknown) {
  if (access.person.hyper) return
  const nearer = await tx.first(
    held,
    sql`select membership_role as role, account_name as name from account
          join account_closure way on way.account_closure_descendant = account_key
          join membership on membership_account = way.account_closure_ancestor
         where account_id = ${parent} and membership_user = ${access.person._id} and ${isMembershipActive}
           and membership_account = any(${access.subtree}::int[])
         order by way.account_closure_depth limit 1`,
  )
  if (!nearer) return
  const inside = { ...access, account: { ...access.account, name: nearer.name }, rules: rulesOfRole(nearer.role) }
  demandField(inside, { field: 'parent', subject: accounts.subject })
}

/** Higher counts are reported as "more than": counting years of events would take too long. */
const maxCounted = 10_000

/**
 * Refuses to delete an account that holds items, and counts them by kind: no item may be lost or left without an
 * account. Administration events, such as sign-ins, don't count. Kinds that the user may not view are reported without
 * name or count.
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
    sql`select count(*) as count from (select from ${name} where ${account} = ${key} ${among} limit ${maxCounted + 1}) held`,
  )
  return { count: found?.count ?? 0, kind }
}

function countedItems({ count, kind = accounts }: Held): ItemCount {
  return { collection: kind.name, count: Math.min(count, maxCounted), isMore: count > maxCounted }
}

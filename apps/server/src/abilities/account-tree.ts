import type { AccountNode } from '@portcullis/contract/calls/authentication'
import { accountStatuses } from '@portcullis/contract/collections/accounts'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database, Transaction } from '../database/database.ts'

/** Refs of all accounts below the one with this key, by name, as an expression. */
export function descendantRefs(key: number) {
  return sql`array(select account_ref from account_closure join account on account_key = account_closure_descendant
    where account_closure_ancestor = ${key} and account_closure_depth > 0 order by account_name)`
}

/** The tag of the account's picture, null if it has none, as an expression. */
export function imageTag(key: number) {
  return sql`(select account_image_tag from account_image where account_image_account = ${key})`
}

/** The key of the parent of the account with this key, which must be in scope; its own key if it has no parent. */
export async function accountAbove(tx: Transaction, key: number) {
  const above = await tx.first(
    z.object({ key: z.int() }),
    sql`select account_closure_ancestor as key from account_closure
         where account_closure_descendant = ${key} and account_closure_depth = 1`,
  )
  return above?.key ?? key
}

const row = z.object({
  _id: z.uuid(),
  ref: z.string(),
  name: z.string(),
  status: z.enum(accountStatuses),
  parent: z.uuid().nullable(),
})

/** The accounts with these keys and all below them, nested, by name; every account where `keys` is `all`. */
export async function accountHierarchy(database: Database, keys: readonly number[] | 'all'): Promise<AccountNode[]> {
  const columns = sql`account_id as _id, account_ref as ref, account_name as name, account_status as status,
    account_parent as parent`
  const rows = await database.asSystem((tx) =>
    tx.rows(
      row,
      keys === 'all'
        ? sql`select ${columns} from account order by lower(account_name), account_key`
        : sql`select ${columns} from account where account_key in (select account_closure_descendant from account_closure
               where account_closure_ancestor = any(${[...keys]}::int[])) order by lower(account_name), account_key`,
    ),
  )
  const nodes = new Map<string, AccountNode>()
  for (const { parent: _, ...node } of rows) nodes.set(node._id, { ...node, children: [] })
  const tops: AccountNode[] = []
  for (const { _id, parent } of rows) {
    const node = nodes.get(_id)
    if (!node) continue
    const above = parent === null ? undefined : nodes.get(parent)
    const siblings = above?.children ?? tops
    siblings.push(node)
  }
  return tops
}

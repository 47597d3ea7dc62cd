import { isAllowed, type Role, rulesOfRole } from '@portcullis/contract/abilities'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

type Held = { key: number; role: Role }
/** `role` is the one that is held where the person stands; null for hyper users, whom nothing narrows. */
type Asked = { role: Role | null; memberships: readonly Held[]; subtree: readonly number[] }

/**
 * Of an account and all below it, those that are read along by a role: not those in which a nearer role of the same person
 * allows less. What one may not ask for there is not told from above either.
 */
export async function coveredAccounts(database: Database, { role, memberships, subtree }: Asked): Promise<number[]> {
  const held = role === null ? [] : memberships.filter(({ key }) => subtree.includes(key))
  const lesser = new Set(held.filter((nearer) => role !== null && !includes(nearer.role, role)).map(({ key }) => key))
  if (lesser.size === 0) return [...subtree]
  const under = await database.asSystem((tx) =>
    tx.rows(
      z.object({ key: z.int(), nearest: z.int() }),
      sql`select distinct on (account_closure_descendant)
             account_closure_descendant as key, account_closure_ancestor as nearest
            from account_closure
           where account_closure_ancestor = any(${held.map(({ key }) => key)}::int[])
             and account_closure_descendant = any(${[...subtree]}::int[])
           order by account_closure_descendant, account_closure_depth`,
    ),
  )
  const left = new Set(under.filter(({ nearest }) => lesser.has(nearest)).map(({ key }) => key))
  return subtree.filter((key) => !left.has(key))
}

/** Whether a role allows everything that another allows. */
function includes(role: Role, other: Role) {
  const rules = rulesOfRole(role)
  return rulesOfRole(other).every(({ action, subject }) => subject !== 'all' && isAllowed(rules, { action, subject }))
}

import { type Brand, brandWithKey, defaultBrand } from '@portcullis/contract/brands'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'

/**
 * The brand of an account's emails and documents: its own, that of the nearest account above with one, or the default.
 * `account` is the account's key. Needs a system transaction, since the accounts above may be out of the user's scope.
 */
export async function brandOfAccount(tx: Transaction, account: number): Promise<Brand> {
  const found = await tx.first(
    z.object({ brand: z.string() }),
    sql`select account_brand as brand from account_closure join account on account_key = account_closure_ancestor
         where account_closure_descendant = ${account} and account_brand is not null
         order by account_closure_depth limit 1`,
  )
  return brandWithKey(found?.brand) ?? defaultBrand
}

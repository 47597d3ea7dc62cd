import { type Brand, brandWithKey, defaultBrand } from '@portcullis/contract/brands'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { Transaction } from '../database/database.ts'

/**
 * Under whose name an account's mails and documents go out: its own brand, or that of the nearest account above that has
 * one. `account` is the account's key. Takes a transaction of the system: the accounts above need not be in anybody's sight.
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
